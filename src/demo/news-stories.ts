/** The stories of the newspaper site, newest first. */

export interface Story {
  readonly path: string;
  readonly title: string;
  readonly text: string;
  /** Answered with this status after the first edition. */
  readonly lostBy?: 404 | 410;
}

export const stories: readonly Story[] = [
  {
    path: '/2026/03/02/footbridge-closed',
    title: 'Footbridge closed after flood',
    lostBy: 404,
    text: `
The wooden footbridge at Tanner's Ford is closed. Monday's flood moved the middle pier by a hand's breadth, and the
council's engineer found two cracked beams.

Walkers can use the road bridge, ten minutes downstream. Repairs begin when the water falls below one metre.`,
  },
  {
    path: '/2026/03/01/fountain-contest',
    title: 'Contest: draw the new fountain',
    lostBy: 410,
    text: `
Children up to twelve are invited to draw the fountain that will stand before the library. The best drawing is built
in stone. Hand yours in before Friday at the town hall.`,
  },
  {
    path: '/2026/02/27/bakery-oven',
    title: 'Bakery fires its old oven again',
    text: `
For the first time in thirty years smoke rises from the wood oven behind the bakery in Mill Lane. Three loaves in ten
are now baked in it, says the baker, and they sell out by nine o'clock.

The oven was built in 1881 and holds forty loaves. A cord of beech lasts four days.`,
  },
  {
    path: '/2026/02/25/night-bus',
    title: 'Night bus runs on Fridays and Saturdays',
    text: `
From April a bus leaves the station at half past midnight and stops in Upper Millbrook, Coldwell and Harrow End. A ride
costs two crowns; season tickets are valid. The council pays for one year and will then count the passengers.`,
  },
  {
    path: '/2026/02/22/library-loans',
    title: 'Library lends tools as well as books',
    text: `
Drills, ladders and a sewing machine can now be borrowed from the town library, one week at a time. The first ladder
was reserved eleven times before the doors opened.`,
  },
  {
    path: '/2026/02/20/school-orchard',
    title: 'School plants an orchard of old apples',
    text: `
Forty trees of nineteen local varieties were planted on the slope behind the school. The oldest, Millbrook Russet, was
thought lost until a single tree was found in a hedge. Cuttings were taken in January.

The first harvest is expected in five years; until then the pupils keep bees.`,
  },
  {
    path: '/2026/02/17/council-budget',
    title: 'Council passes budget by one vote',
    text: `
After six hours of debate the council passed the budget with eight votes to seven. The swimming bath stays open, the
street lamps go out at one in the morning, and the tax on dogs rises by three crowns.`,
  },
  {
    path: '/2026/02/14/mill-wheel',
    title: 'Mill wheel turns to make electricity',
    text: `
The water wheel of the lower mill drives a generator since Saturday. At ordinary water it supplies thirty households,
in a dry summer perhaps ten. The wheel itself, of larch, was made by the joiner in Coldwell.`,
  },
  {
    path: '/2026/02/11/otters',
    title: 'Otters seen near the weir',
    text: `
Two otters were filmed below the weir at dusk, the first in the valley since 1974. The angling club asks walkers to
keep dogs on a lead along the reeds, and to report sightings to the library.`,
  },
  {
    path: '/2026/02/08/chess',
    title: 'Chess club loses the final and its table',
    text: `
Millbrook lost the county final with three and a half to four and a half. On the way home the club's table fell off the
roof of the car near Harrow End. Finders are promised a game and a cake.`,
  },
  {
    path: '/2026/02/05/snow-plough',
    title: 'Snow plough named by vote',
    text: `
With 412 votes the town's new snow plough is called Ploughman's Lunch. Second came Snow Reason. The plough cleared
sixteen kilometres on its first morning.`,
  },
];

/** Published one an edition, the first with the first `advance()`. */
export const laterStories: readonly Story[] = [
  {
    path: '/2026/03/03/footbridge-plan',
    title: 'Steel footbridge planned at the ford',
    text: `
Instead of mending the wooden footbridge the council wants a new one of steel, a metre higher. It would cost ninety
thousand crowns and be finished in October.`,
  },
];
