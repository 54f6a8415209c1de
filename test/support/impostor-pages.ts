/** Pages that sites answer with status 200 in the place of others. */

/** A page of a site with its usual frame: navigation, a box to log in in the header, a footer. */
export function framed(title: string, main: string, site = 'Example Gazette'): string {
  return `<!doctype html><html><head><meta charset=utf-8><title>${title}</title></head><body>
<header><a href="/">${site}</a><form action="/login"><input name=user><input type=password name=pw><button>Log in</button></form>
<nav><ul><li><a href="/news">News</a></li><li><a href="/sport">Sport</a></li><li><a href="/about">About us</a></li></ul></nav></header>
<main>${main}</main><footer><p>© 2026 ${site}. <a href="/privacy">Privacy</a> <a href="/contact">Contact</a></p></footer></body></html>`;
}

/** The same without anything to log in with. */
export function plain(title: string, main: string): string {
  return `<!doctype html><html><head><title>${title}</title></head><body><nav><a href="/">Home</a> <a href="/blog">Blog</a></nav>${main}</body></html>`;
}

export const PASSWORD =
  '<form method=post><label>User <input name=u></label> <label>Password <input type=password name=p></label></form>';
const PASSWORD_ZH =
  '<form method=post><label>用户名<input name=u></label><label>密码<input type=password name=p></label></form>';

/** A name, and the page as HTML. */
export type Row = readonly [name: string, html: string];

export const soft404Pages: readonly Row[] = [
  [
    'nginx',
    '<html><head><title>404 Not Found</title></head><body><center><h1>404 Not Found</h1></center><hr><center>nginx</center></body></html>',
  ],
  [
    'Apache',
    '<html><head><title>404 Not Found</title></head><body><h1>Not Found</h1><p>The requested URL was not found on this server.</p><hr><address>Apache Server at www.example.org Port 80</address></body></html>',
  ],
  [
    'IIS',
    '<html><head><title>404 - File or directory not found.</title></head><body><h1>Server Error</h1><h2>404 - File or directory not found.</h2><h3>The resource you are looking for might have been removed, had its name changed, or is temporarily unavailable.</h3></body></html>',
  ],
  [
    'a blog',
    plain(
      'Page not found – My Blog',
      '<h1>Oops! That page can’t be found.</h1><p>It looks like nothing was found at this location. Maybe try one of the links below or a search?</p><h2>Recent Posts</h2><ul><li><a href=/a>Hello world</a></li><li><a href=/b>Second post</a></li></ul>',
    ),
  ],
  [
    'a newspaper',
    framed(
      'Page Not Found | Example Gazette',
      '<h1>Sorry, we couldn’t find that page</h1><p>The page you requested may have been moved or deleted. Check the address or go to the front page.</p>',
    ),
  ],
  [
    'a code host',
    plain('Page not found · GitHost', '<p>404</p><p>This is not the web page you are looking for.</p>'),
  ],
  [
    'a shop',
    framed(
      'Product not found - Shop',
      '<h1>Product not found</h1><p>The product you are looking for is no longer available.</p>',
    ),
  ],
  [
    'a wall of an app',
    '<title>App</title><div id=root><h1>404</h1><p>This page could not be found.</p></div>',
  ],
  ['a forum', framed('Error', '<h1>Topic not found</h1><p>The requested topic does not exist.</p>')],
  [
    'documentation',
    plain(
      'Not Found — Manual 3.2',
      "<h1>Not found</h1><p>We couldn't find the page you are looking for. It may have been moved.</p>",
    ),
  ],
  [
    'a video site',
    plain(
      "This video isn't available anymore",
      "<h1>This video isn't available</h1><p>The video you requested was removed.</p>",
    ),
  ],
  [
    'a social network',
    plain(
      'Page unavailable',
      "<h1>Sorry, this page isn't available.</h1><p>The link you followed may be broken, or the page may have been removed.</p>",
    ),
  ],
  ['a wiki farm', plain('Error 404', '<h1>Error 404: Page not found</h1><p>Go back to the main page.</p>')],
  [
    'zh: a portal',
    plain('页面不存在', '<h1>页面不存在</h1><p>您访问的页面不存在或已被删除，5秒后自动返回首页。</p>'),
  ],
  [
    'zh: a newspaper',
    plain(
      '抱歉，您访问的页面不存在 - 示例日报',
      '<h2>抱歉，您访问的页面不存在</h2><p>请检查您输入的网址是否正确，或返回首页。</p>',
    ),
  ],
  [
    'zh: a shop',
    plain('商品已下架_示例商城', '<h1>该商品已下架</h1><p>您查看的商品已下架，看看别的吧。</p>'),
  ],
  [
    'zh: a question site',
    plain('404 - 示例问答', '<h1>404</h1><p>你似乎来到了没有知识存在的荒原，该页面不存在。</p>'),
  ],
  [
    'zh: a forum',
    plain(
      '提示信息 - 示例论坛',
      '<div id=messagetext><p>抱歉，指定的主题不存在或已被删除或正在被审核</p></div><p><a href=/back>点击这里返回上一页</a></p>',
    ),
  ],
  [
    'zh-Hant: a library',
    plain(
      '找不到網頁 | 示例圖書館',
      '<h1>找不到您要的網頁</h1><p>很抱歉，您要瀏覽的網頁不存在，請回首頁。</p>',
    ),
  ],
  ['zh-Hant: a school', plain('錯誤：頁面不存在', '<h1>此頁面不存在</h1><p>您所造訪的連結已失效。</p>')],
];

export const loginPages: readonly Row[] = [
  [
    'a blog engine',
    `<title>Log In ‹ My Blog — BlogPress</title><body class=login><h1>Powered by BlogPress</h1>${PASSWORD}<p><a href=/lost>Lost your password?</a></p>`,
  ],
  [
    'an intranet',
    plain(
      'Sign in to your account',
      `<h1>Sign in</h1>${PASSWORD}<p>No account? Create one. Can’t access your account?</p>`,
    ),
  ],
  [
    'a central service',
    plain(
      'CAS – Central Authentication Service Log In',
      `<h1>Login</h1><p>Enter your Username and Password. For security reasons, please log out when you are done.</p>${PASSWORD}`,
    ),
  ],
  [
    'a newspaper',
    framed(
      'Log in | Example Gazette',
      `<h1>Log in to continue</h1><p>Subscribers have access to all articles.</p>${PASSWORD}`,
    ),
  ],
  [
    'a wiki',
    plain('Login required - Wiki', '<h1>Login required</h1><p>Please log in to view other pages.</p>'),
  ],
  ['a tracker', plain('Sign in · Tracker', `<p>You need to sign in before continuing.</p>${PASSWORD}`)],
  [
    'an app',
    plain(
      'Session expired',
      '<h1>Session expired</h1><p>Your session has expired. Please sign in again to continue.</p>',
    ),
  ],
  ['zh: a university', plain('统一身份认证平台', `<h1>统一身份认证</h1>${PASSWORD_ZH}<p>忘记密码？</p>`)],
  [
    'zh: a forum',
    plain('用户登录 - 示例论坛', `<h1>登录</h1><p>您需要登录后才可以查看本页。</p>${PASSWORD_ZH}`),
  ],
  ['zh: an office', plain('登录 | 办公系统', `<h3>用户登录</h3>${PASSWORD_ZH}`)],
  ['zh-Hant: a school', plain('會員登入', `<h1>會員登入</h1>${PASSWORD_ZH}<p>忘記密碼？</p>`)],
];

export const blockedPages: readonly Row[] = [
  [
    'a challenge',
    '<!DOCTYPE html><html lang="en-US"><head><title>Just a moment...</title><meta name="robots" content="noindex,nofollow"><meta http-equiv="refresh" content="390"></head><body class="no-js"><noscript><h2>Enable JavaScript and cookies to continue</h2></noscript><script>(function(){window._cf_chl_opt={cvId:"3"}})();</script></body></html>',
  ],
  [
    'an older challenge',
    '<title>Please Wait... | Cloudflare</title><h1>Checking your browser before accessing example.org.</h1><p>This process is automatic. Your browser will redirect to your requested content shortly.</p><p>DDoS protection by Cloudflare</p><p>Ray ID: 5f1</p>',
  ],
  [
    'a refusal at the edge',
    '<html><head><title>Attention Required! | Cloudflare</title></head><body><h1>Sorry, you have been blocked</h1><h2>You are unable to access example.org</h2><p>This website is using a security service to protect itself from online attacks.</p><p>Cloudflare Ray ID: 7a</p></body></html>',
  ],
  [
    'an incident',
    '<html><head><META NAME="robots" CONTENT="noindex,nofollow"></head><iframe src="/_Incapsula_Resource?CWUDNSAI=23&xinfo=1">Request unsuccessful. Incapsula incident ID: 12</iframe></html>',
  ],
  [
    'a puzzle',
    '<html><head><title>example.org</title></head><body><p id="cmsg">Please enable JS and disable any ad blocker</p><script src="https://ct.captcha-delivery.com/c.js"></script></body></html>',
  ],
  [
    'a press-and-hold',
    '<title>Access to this page has been denied</title><div id="px-captcha"></div><p>Press and hold to confirm you are a human (and not a bot).</p>',
  ],
  [
    'an edge',
    '<HTML><HEAD><TITLE>Access Denied</TITLE></HEAD><BODY><H1>Access Denied</H1>You don\'t have permission to access "http://www.example.org/" on this server.<P>Reference #18.2d351ab8</BODY></HTML>',
  ],
  [
    'a firewall',
    '<html><head><title>Request Rejected</title></head><body>The requested URL was rejected. Please consult with your administrator.<br><br>Your support ID is: 123</body></html>',
  ],
  [
    'a reload',
    '<html><head><meta http-equiv="refresh" content="3;url=http://a.test/p"></head><body>Loading</body></html>',
  ],
  [
    'proof of work',
    '<html><head><title>Making sure you&#39;re not a bot!</title></head><body><main><h1>Making sure you&#39;re not a bot!</h1><p>Calculating…</p></main><script src="/.within.website/x/cmd/anubis/static/js/main.mjs"></script></body></html>',
  ],
  [
    'a search engine',
    "<title>Robot Check</title><h4>Type the characters you see in this image</h4><p>Sorry, we just need to make sure you're not a robot.</p><h1>Captcha</h1>",
  ],
  [
    'maintenance',
    plain(
      'Site under maintenance',
      '<h1>We’ll be back soon!</h1><p>Sorry for the inconvenience. We’re performing some maintenance at the moment.</p>',
    ),
  ],
  [
    'scheduled work',
    plain(
      'Example | Maintenance',
      '<h1>Down for maintenance</h1><p>We are currently undergoing scheduled maintenance and will be back shortly.</p>',
    ),
  ],
  [
    'a database',
    '<html><head><title>Database Error</title></head><body><h1>Error establishing a database connection</h1></body></html>',
  ],
  [
    'a gateway',
    '<html><head><title>502 Bad Gateway</title></head><body><center><h1>502 Bad Gateway</h1></center><hr><center>nginx</center></body></html>',
  ],
  ['zh: a slider', '<title>百度安全验证</title><p>网络不给力，请稍后重试</p>'],
  [
    'zh: a firewall',
    plain(
      '访问被拦截',
      '<h1>您的访问被拦截</h1><p>很抱歉，由于您访问的URL有可能对网站造成安全威胁，您的访问被阻断。</p>',
    ),
  ],
  ['zh: maintenance', plain('系统维护中', '<h1>系统维护中</h1><p>给您带来不便，敬请谅解，请稍后再试。</p>')],
  [
    'zh-Hant: maintenance',
    plain('系統維護中 - 示例網站', '<h1>系統維護中</h1><p>造成您的不便，敬請見諒，請稍後再試。</p>'),
  ],
];
