/** Pages that look like those that stand in the place of others, and are what they seem to be. */
import { framed, PASSWORD, plain, type Row } from './impostor-pages.ts';

const PROSE =
  'The library opened in 1907 and has lent books ever since. Its reading room seats eighty, and on winter evenings most of the chairs are taken by people who have nowhere warmer to go. ';

export const honestPages: readonly Row[] = [
  [
    'an article about such pages',
    plain(
      'How to design a good 404 page',
      `<article><h1>How to design a good 404 page</h1><p>A visitor who sees "page not found" should be told what to do next. ${PROSE}</p></article>`,
    ),
  ],
  [
    'reference of a status',
    plain(
      '404 Not Found - HTTP | Web Docs',
      '<h1>404 Not Found</h1><p>The HTTP 404 Not Found client error response status code indicates that the server cannot find the requested resource.</p>',
    ),
  ],
  [
    'a glossary',
    plain(
      '404 - Glossary',
      '<h1>404</h1><p>A 404 is a standard response code meaning that the server cannot find a requested resource.</p>',
    ),
  ],
  [
    'a surname',
    plain(
      'Not Found (surname) - Encyclopedia',
      '<h1>Not Found (surname)</h1><p>Not Found is a surname. Notable people with the surname include Ada Not Found, a painter.</p>',
    ),
  ],
  [
    'a number',
    plain(
      '404 (number)',
      '<h1>404 (number)</h1><p>404 is the natural number following 403 and preceding 405. It is a refactorable number.</p>',
    ),
  ],
  [
    'an area code',
    plain(
      'Area code 404',
      '<h1>Area code 404</h1><p>Area code 404 serves Atlanta, Georgia, and its closest suburbs.</p>',
    ),
  ],
  [
    'a question',
    plain(
      'python - Page not found (404) on Django - Q&A',
      '<h1>Page not found (404) on Django</h1><p>I get "Page not found" when I open /polls. The requested URL was not found. My urls.py is below. What is wrong?</p><pre>urlpatterns = []</pre>',
    ),
  ],
  [
    'a tutorial',
    plain(
      'Fix “Error 404: file not found”',
      `<h1>Fix “Error 404: file not found” in five steps</h1><p>First check the address. ${PROSE}</p>`,
    ),
  ],
  [
    'documentation of a login',
    plain(
      'Login – API reference',
      '<h1>Login</h1><p><code>POST /login</code> takes a user name and a password and returns a token. Send the token in the Authorization header of every later request. A wrong password is answered with 401.</p>',
    ),
  ],
  [
    'how to sign in',
    plain(
      'How to sign in – Help',
      '<h1>How to sign in</h1><p>Open the menu and choose Sign in. Enter your user name and password. If you have forgotten your password, choose Reset.</p>',
    ),
  ],
  [
    'help: sign in to',
    plain(
      'Sign in to Example – Help centre',
      '<h1>Sign in to Example</h1><p>To sign in, go to the front page, choose Sign in at the top right, and type the address you signed up with. You can stay signed in on your own devices for thirty days, and you can see all of them in the settings.</p>',
    ),
  ],
  [
    'an article with a box to log in',
    framed('Library turns 120', `<h1>Library turns 120</h1><p>${PROSE}</p>`),
  ],
  [
    'a short note with a box to log in',
    framed(
      'Closed on Monday',
      '<h1>Closed on Monday</h1><p>The museum is closed on Monday. Log in to comment.</p>',
    ),
  ],
  [
    'comments for members',
    plain(
      'Recipe: bread',
      '<h1>Bread</h1><p>Flour, water, salt, and time. You must be logged in to post a comment.</p>',
    ),
  ],
  [
    'a form to register',
    plain(
      'Join us',
      `<h1>Join the society</h1><p>Members get four issues a year and free entry.</p>${PASSWORD}`,
    ),
  ],
  [
    'out of stock',
    framed(
      'Blue kettle – Shop',
      '<h1>Blue kettle</h1><p>Out of stock. 1.7 litres, steel. This product is currently unavailable; tell me when it is back.</p>',
    ),
  ],
  [
    'a discontinued product',
    framed(
      'Red kettle – Shop',
      '<h1>Red kettle</h1><h2>This product is no longer available</h2><p>Made from 2015 to 2020; spare parts can be had for ten years.</p>',
    ),
  ],
  [
    'news of maintenance',
    plain(
      'Scheduled maintenance on 5 May – Status blog',
      '<h1>Scheduled maintenance on 5 May</h1><p>On 5 May between 2 and 4 the web site will be down for maintenance. We apologise for the inconvenience.</p>',
    ),
  ],
  [
    'the maintenance of a boat',
    plain(
      'Maintenance | Boat handbook',
      '<h1>Maintenance</h1><p>Rinse the hull with fresh water after every trip. Grease the winches once a year and look at the rigging before the season. Replace what is worn, and keep a log of what was done and when.</p>',
    ),
  ],
  [
    'a security check',
    plain(
      'Security check – Airport',
      '<h1>Security check</h1><p>Please have your boarding pass ready. Liquids go into a clear bag; laptops come out of theirs. Allow twenty minutes in the morning and ten in the evening, more on holidays.</p>',
    ),
  ],
  [
    'a song',
    plain(
      'Access Denied (song)',
      '<h1>Access Denied (song)</h1><p>"Access Denied" is a song by the band Porcupine, from 1999. It reached number nine.</p>',
    ),
  ],
  [
    'a novel',
    plain(
      'Just a Moment: a novel by R. Lee',
      '<h1>Just a Moment</h1><p>A clerk misses his train and meets the woman he will marry, though neither of them knows it until the last chapter. Published in 1961, in print ever since.</p>',
    ),
  ],
  ['an empty list', framed('Jobs', '<h1>Jobs</h1><p>There are no vacancies at present.</p>')],
  ['an empty search', framed('Search', '<h1>Search results</h1><p>Nothing found for “kettle”.</p>')],
  ['a stub', plain('Leaf 7', '<h1>Leaf 7</h1><p>All about Leaf 7.</p>')],
  ['an app shell', '<title>Example</title><div id=root>Loading…</div>'],
  [
    'a page that refreshes itself',
    plain(
      'Scores',
      '<meta http-equiv=refresh content="30;url=http://a.test/p"><h1>Scores</h1><p>Blue 3, Red 2.</p>',
    ),
  ],
  [
    'a door',
    '<title>Welcome</title><meta http-equiv=refresh content="0;url=/home"><p>You are being taken to our front page.</p>',
  ],
  [
    'lost and found',
    plain(
      'Lost and found',
      '<h1>Lost and found</h1><p>Items not found within thirty days are given to charity.</p>',
    ),
  ],
  [
    'behind an edge',
    plain(
      'Tea',
      '<h1>Tea</h1><p>Two leaves and a bud.</p><script src="/cdn-cgi/challenge-platform/scripts/jsd/main.js"></script><script src="/_Incapsula_Resource?SWJIYLWA=7"></script><script src="https://www.google.com/recaptcha/api.js"></script>',
    ),
  ],
  [
    'zh: about such pages',
    plain(
      '什么是404页面',
      '<h1>什么是404页面</h1><p>404页面是当用户访问的页面不存在时，服务器返回的提示页面，其状态码为404。</p>',
    ),
  ],
  [
    'zh: how to log in',
    plain(
      '如何登录 - 帮助中心',
      '<h1>如何登录</h1><p>点击右上角的登录按钮，输入用户名和密码，即可登录本站。</p>',
    ),
  ],
  [
    'zh: a short note',
    framed('周一闭馆', '<h1>周一闭馆</h1><p>博物馆周一闭馆，登录后可发表评论。</p>', '示例日报'),
  ],
  [
    'zh: a missing person',
    plain(
      '寻人启事：老人走失',
      '<h1>老人走失</h1><p>家住东城的王先生于昨日上午走失，身穿蓝色外套，如有消息请联系家人。</p>',
    ),
  ],
  [
    'zh: out of stock',
    framed('蓝色水壶', '<h1>蓝色水壶</h1><p>暂时缺货，1.7升，不锈钢。到货后通知我。</p>', '示例商城'),
  ],
  [
    'zh: upkeep of a car',
    plain(
      '汽车维护',
      '<h1>汽车的日常维护</h1><p>每五千公里更换一次机油，检查轮胎的磨损，雨季前检查雨刷。长期停放时应断开电池。</p>',
    ),
  ],
  [
    'zh: a theorem',
    plain(
      '验证',
      '<h1>验证</h1><p>验证是用实验或推理来检验某个论断是否成立的过程。在数学中，验证一个解只需代入原方程；在自然科学中，验证需要可重复的实验和独立的观察者。</p>',
    ),
  ],
  [
    'zh: the novel Missing',
    plain('失踪的页面', '<h1>失踪的页面</h1><p>这是一部推理小说，讲述图书馆里一页手稿的失踪。</p>'),
  ],
  ['zh-Hant: a menu', framed('今日菜單', '<h1>今日菜單</h1><p>牛肉麵、小籠包、紅豆湯。</p>', '示例餐廳')],
];
