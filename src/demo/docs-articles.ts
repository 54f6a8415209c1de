/** The texts of the handbook site. */
import type { Article } from './markup.ts';

export const docsArticles: readonly (Article & { readonly path: string })[] = [
  {
    path: '/',
    title: 'Larkbox, a weather station for gardens',
    text: `
Larkbox measures rain, wind, air and soil, and keeps the readings on a small computer in your house. This handbook
takes you from the parcel to the first graph.

- [Guide](/guide/): put it up and get the first reading
- [Sensors](/sensors/): what each one measures, and how well
- [Reference](/reference/): settings, programming interface, error codes
- [Help](/help/): when something is wrong
- [Release notes](/release-notes) and the [public roadmap](/drafts/roadmap)
- [A draft about hail](/drafts/hail), which robots.txt keeps to itself`,
  },
  {
    path: '/guide/',
    title: 'Guide',
    text: `
Read these in order; together they take an afternoon.

- [Install the base unit](/guide/install)
- [Mount the mast](/guide/mounting)
- [Join the network](/guide/network)
- [Your first reading](/guide/first-reading)
- [Power and batteries](/guide/power)
- [Updates](/guide/updates)`,
  },
  {
    path: '/guide/install',
    title: 'Install the base unit',
    text: `
The base unit is the grey box with the round display. Place it indoors, within thirty metres of the mast, away from
microwave ovens and metal shelves.

Connect the supplied power adapter. The display shows a lark while the unit starts, which takes about forty seconds,
and then the word PAIR. [Mount the mast](/guide/mounting) before you go on.

## What is in the parcel

- base unit and power adapter
- mast in three pieces with a ground spike
- rain gauge, wind vane, air sensor and two soil probes
- four AA batteries

A page to put on the wall is the [print version](/guide/install?print=1).`,
  },
  {
    path: '/guide/install?print=1',
    title: 'Install the base unit (print)',
    text: 'The same text for paper.',
  },
  {
    path: '/guide/mounting',
    title: 'Mount the mast',
    text: `
Choose open ground: a tree or a wall should be at least four times as far away as it is high, or the
[wind vane](/sensors/wind) will measure eddies and the [rain gauge](/sensors/rain-gauge) will stand in a rain shadow.

Push the spike forty centimetres into the ground and check it with a spirit level. A mast that leans by three degrees
loses about two per cent of the rain.`,
  },
  {
    path: '/guide/network',
    title: 'Join the network',
    text: `
Hold the button on the base unit for five seconds. A network called larkbox-setup appears; connect a phone to it and
choose your own wireless network from the list. Only the 2.4 GHz band is supported.

The station needs no account and sends nothing to the internet. Readings stay in your house unless you
[export](/reference/export) them.`,
  },
  {
    path: '/guide/first-reading',
    title: 'Your first reading',
    text: `
Open larkbox.local in a browser. After pairing, each sensor reports once a minute, so the first curve appears after
two minutes. If a sensor stays grey, see [no data](/help/no-data).

Compare the air temperature with a thermometer in the shade for an hour before you trust it, and
[calibrate](/sensors/calibration) when they differ by more than half a degree.`,
  },
  {
    path: '/guide/power',
    title: 'Power and batteries',
    text: `
The sensors on the mast live on four AA batteries for about fourteen months. Lithium cells work down to minus forty
degrees; alkaline cells give up at minus fifteen.

When the voltage falls below 4.4 V the display shows a crossed feather, and readings come every five minutes instead
of every minute.`,
  },
  {
    path: '/guide/updates',
    title: 'Updates',
    text: `
New firmware is copied to the base unit from a memory stick. Put the file larkbox.bin into the top folder, insert
the stick, and hold the button until the lark sings twice. What changed is in the [release notes](/release-notes).

Never remove the stick during an update. A unit that does not start afterwards shows [error](/reference/errors) E7.`,
  },
  {
    path: '/guide/winter',
    title: 'Getting through the winter',
    text: `
No page links here; only the sitemap knows it. Snow covers the rain gauge and melts later, so winter rain is dated
wrongly. Fit the heating ring before the first frost, and sweep snow off the wind vane.`,
  },
  {
    path: '/sensors/',
    title: 'Sensors',
    text: `
Four sensors come with the station. Accuracy is what we measured against a reference over one year.

- [Rain gauge](/sensors/rain-gauge): 0.2 mm per tip
- [Wind vane and anemometer](/sensors/wind): 0.5 m/s
- [Air sensor](/sensors/air): 0.3 degrees, 3 % humidity, 1 hPa
- [Soil probes](/sensors/soil): 3 % water content
- [Calibration](/sensors/calibration)`,
  },
  {
    path: '/sensors/rain-gauge',
    title: 'Rain gauge',
    text: `
Rain runs through a funnel into a tipping bucket. Each tip is 0.2 millimetres of rain and closes a magnetic switch,
which the station counts. In a cloudburst above 90 millimetres an hour the bucket cannot keep up and the reading is
too low.

Leaves are the usual reason for [wrong rain totals](/help/wrong-rain). Clean the funnel every month in autumn.`,
  },
  {
    path: '/sensors/wind',
    title: 'Wind vane and anemometer',
    text: `
Three cups turn with the wind and a vane shows where it comes from, in sixteen directions. The station keeps the mean
of ten minutes and the strongest gust of three seconds.

Turn the vane so that its screw points north when you [mount the mast](/guide/mounting).`,
  },
  {
    path: '/sensors/air',
    title: 'Air sensor',
    text: `
Temperature, humidity and pressure are measured inside a white shield of eight plates that keeps sunshine out and
lets air through. Spiders like it too: look inside twice a year.

Pressure is shown as it would be at sea level, from the altitude in the [settings](/reference/settings).`,
  },
  {
    path: '/sensors/soil',
    title: 'Soil probes',
    text: `
Each probe measures how well the soil conducts, and from that its water content. Push the first one ten centimetres
deep, where lettuce drinks, and the second one forty centimetres deep for trees.

Clay, loam and sand differ; choose the soil in the [settings](/reference/settings) or the moisture will be off by a
third.`,
  },
  {
    path: '/sensors/calibration',
    title: 'Calibration',
    text: `
Pour exactly 200 millilitres of water slowly through the rain gauge: the station should count 49 to 51 tips. Turn the
two screws under the bucket by half a turn for each tip too many or too few.

Offsets for temperature and humidity are entered in the [settings](/reference/settings).`,
  },
  {
    path: '/reference/',
    title: 'Reference',
    text: `
- [Settings](/reference/settings)
- [Programming interface](/reference/api)
- [Error codes](/reference/errors)
- [Export formats](/reference/export)`,
  },
  {
    path: '/reference/settings',
    title: 'Settings',
    text: `
altitude: metres above the sea, 0 to 4000. soil: clay, loam or sand. interval: 60 to 3600 seconds between readings.
offset.temperature: minus 5 to 5 degrees. wind.unit: m/s, km/h, knots or Beaufort.

Settings are kept in larkbox.toml on the base unit and can be changed through the
[programming interface](/reference/api) as well.`,
  },
  {
    path: '/reference/api',
    title: 'Programming interface',
    text: `
GET /v1/readings?since=2026-01-01 returns readings as JSON, newest last, at most 10,000 of them. GET /v1/stream keeps
the connection open and sends each reading as a line. PUT /v1/settings changes one or more
[settings](/reference/settings).

The interface listens in the home network only. Requests above five a second are answered with status 429.`,
  },
  {
    path: '/reference/errors',
    title: 'Error codes',
    text: `
E1: a sensor was not heard for ten minutes. E2: battery low. E3: clock not set. E4: memory full, oldest readings are
dropped. E5: wind vane stuck, perhaps frozen. E6: soil probe broken. E7: firmware damaged, copy it again as described
under [updates](/guide/updates).`,
  },
  {
    path: '/reference/export',
    title: 'Export formats',
    text: `
Readings can be saved as CSV with one row per minute, as JSON Lines, or as a yearly summary in plain text. A year of
minutes takes 38 megabytes as CSV and 4 megabytes compressed.

Dates are written in UTC with the offset of your time zone in the first line.`,
  },
  {
    path: '/help/',
    title: 'Help',
    text: `
- [A sensor shows no data](/help/no-data)
- [Rain totals are wrong](/help/wrong-rain)
- [The clock is wrong](/help/clock)`,
  },
  {
    path: '/help/no-data',
    title: 'A sensor shows no data',
    text: `
Check the batteries first; see [power](/guide/power). Then bring the sensor to within two metres of the base unit and
hold its button for three seconds to pair it again. Thick walls and foil insulation halve the range.`,
  },
  {
    path: '/help/wrong-rain',
    title: 'Rain totals are wrong',
    text: `
Too little rain: leaves in the funnel, a leaning mast, or a tree too near. Too much rain: the mast shakes in the wind
and the bucket tips by itself. Tighten the mast and [calibrate](/sensors/calibration) the gauge.`,
  },
  {
    path: '/help/clock',
    title: 'The clock is wrong',
    text: `
The base unit takes the time from your router. When the router has none, readings carry error E3 until the clock is
set by hand in the [settings](/reference/settings). Daylight saving time is never stored, only shown.`,
  },
  {
    path: '/drafts/roadmap',
    title: 'Public roadmap',
    text: `
Next year: a snow depth sensor, a lightning counter and a battery for the base unit. The drafts folder is closed to
crawlers, but this page is opened again by a longer Allow rule.`,
  },
  {
    path: '/drafts/hail',
    title: 'Hail (draft)',
    text: 'Nobody has agreed to this yet, so no crawler may read it.',
  },
];
