/**
 * What pages say that stand in the place of others, in English and Chinese (simplified and traditional). `headline` is all
 * of a title, or of a part of it, or of the first heading; `phrase` is found in the text. Both are matched on folded text
 * (`foldWords`), and every gap in them is bounded, so time is linear.
 */

/** The words of one kind of impostor. */
export interface ImpostorWords {
  readonly impostor: 'content.soft404' | 'content.login' | 'content.blocked';
  readonly headline: readonly RegExp[];
  readonly phrase: readonly RegExp[];
}

/** Text as the patterns expect it: lower case, plain apostrophes, single spaces. */
export function foldWords(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[’‘´`]/g, "'")
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** Text that explains such pages and is none, such as a glossary's entry for 404. */
export const aboutSuchPages: RegExp =
  /\b(?:status|response|error) codes?\b.{0,60}\b(?:is|are|means?|meaning|indicat\w+|tells?|sent|returned|used)\b|状态码|狀態碼|是指|意味着|意味著/;

const THING =
  '(?:page|file|document|url|resource|article|product|item|post|content|topic|thread|user|profile|video|listing|job|link)';
const ABSENT =
  "(?:not (?:be )?found|n't (?:be )?found|n't exist|not exist|no longer (?:available|exists?)|(?:been|was) (?:removed|deleted)|(?:not|n't) available|unavailable|missing)";
const SORRY = "(?:(?:sorry|we're sorry|we are sorry|oops|whoops|uh[ -]oh|hmm+|error|404|but)\\W{1,4}){0,3}";
const PRESENT = '(?:the|this|that|your|requested|web) ';

const PAGE_ZH =
  '(?:页面|頁面|网页|網頁|文件|檔案|内容|內容|文章|资源|資源|商品|帖子|主题|主題|地址|网址|網址|链接|鏈接|連結|信息|資訊)';
const GONE_ZH =
  '(?:不存在|找不到|未找到|[没沒]有找到|[无無]法找到|不[见見]|走[丢失]|[丢丟]失|失效|[删刪]除|下架|移除|[过過]期|[无無]法[显顯]示)';
const FIND_ZH = '(?:找不到|未找到|[没沒]有找到|[无無]法找到)';
const WISHED_ZH =
  '(?:[您你])?(?:想要|要|所|正在|想)?(?:访问|訪問|查看|浏览|瀏覽|请求|請求|[寻尋]找|找|打开|打開|造訪|存取|查[询詢]|搜索|搜尋|指定)?的?';

export const soft404Words: ImpostorWords = {
  impostor: 'content.soft404',
  headline: [
    /^(?:(?:http|error|status|code)\W{0,3}){0,3}404(?:\W{0,4}(?:error|page|not found|(?:page|file)(?: or directory)? not found)){0,3}$/,
    new RegExp(`^${SORRY}(?:${PRESENT}){0,3}${THING}(?: or directory)?\\b.{0,50}${ABSENT}$`),
    new RegExp(
      `^${SORRY}(?:we )?(?:can't|cannot|could not|couldn't) find (?:${PRESENT}){1,2}${THING}\\b.{0,40}$`,
    ),
    new RegExp(`^${SORRY}(?:not found|no such page|missing page|page missing)$`),
    new RegExp(
      `^(?:404\\W{0,4})?(?:(?:错误|錯誤|出错了?|出錯了?|提示|很?抱歉|[对對]不起|啊哦|哎呀|糟糕)\\W{0,4}){0,3}${WISHED_ZH}(?:[该該此本]|[这這][个個])?${PAGE_ZH}.{0,6}${GONE_ZH}(?:了|啦|或已?被?[删刪]除|或正在被?[审審]核){0,3}$`,
      'u',
    ),
    new RegExp(
      `^(?:404\\W{0,4})?(?:很?抱歉\\W{0,4}|[对對]不起\\W{0,4})?${FIND_ZH}${WISHED_ZH}(?:[该該此本])?${PAGE_ZH}$`,
    ),
  ],
  phrase: [
    new RegExp(
      `\\b${THING} (?:that )?you(?:'re|'ve| are| were| have)? (?:looking for|look for|requested|tried|trying|wanted|asked for|followed)\\b`,
    ),
    new RegExp(`\\b(?:${PRESENT}){1,3}(?:${THING}|address)\\b.{0,60}${ABSENT}`),
    /\bpage (?:can't|cannot|could not|couldn't) be found\b/,
    new RegExp(
      `\\bwe (?:can't|couldn't|could not|cannot|were unable to|are unable to)(?: seem to)? find (?:${PRESENT}|what you)`,
    ),
    /\blooks like nothing was found\b/,
    new RegExp(`(?:[该該此本]|[这這][个個]|的)${PAGE_ZH}.{0,8}${GONE_ZH}`),
    new RegExp(`${FIND_ZH}.{0,12}${PAGE_ZH}`),
    new RegExp(`${PAGE_ZH}(?:已经|已經|已|可能)?(?:被)?(?:不存在|[删刪]除|移除|失效|走丢了?)`),
  ],
};

const LOGIN = '(?:log|sign)[ -]?(?:in|on)';
const LOGIN_ZH = '(?:登[录錄陆陸入]|身[份分][认認][证證])';

export const loginWords: ImpostorWords = {
  impostor: 'content.login',
  headline: [
    new RegExp(
      `^(?:(?:please|secure|members?|user|customer|client|staff|student|admin|administrator|account|single|central|welcome back|you (?:must|need to|have to))\\W{1,3}){0,3}${LOGIN}(?: page| form| required| here)?(?: (?:to|with|into|for|using|at) .{1,40})?$`,
    ),
    /^(?:authentication required|members only|(?:central )?authentication service|session expired)$/,
    new RegExp(`^.{0,12}${LOGIN_ZH}(?:页面|頁面|界面|介面|系[统統]|中心|平[台臺]|入口)?$`, 'u'),
  ],
  phrase: [
    new RegExp(
      `\\b${LOGIN}\\b.{0,30}\\b(?:to|before) (?:you )?(?:can )?(?:continue|continuing|view|viewing|access|accessing|see|read|proceed)\\b`,
    ),
    /\b(?:must|need to|have to|required to) (?:be (?:logged|signed) in|(?:log|sign) in)\b(?! to (?:comment|post|reply|leave|add|vote|rate))/,
    /\b(?:session|login) (?:has |have )?(?:expired|timed out)\b/,
    /[请請]先?(?:登[录錄陆陸入])(?!.{0,4}(?:评论|評論|回复|回覆|发表|發表|留言))/,
    /登[录錄陆陸入](?:之)?[后後](?:才能|才可|再|方可|可|即可)?(?:以)?(?:继续|繼續|查看|访问|訪問|浏览|瀏覽|[阅閱][读讀])/,
    /(?:登[录錄入]|[会會][话話])(?:状态)?已?(?:超时|逾時|过期|過期|失效)/,
  ],
};

/** A headline with such a word, above a field for a password. */
export const speaksOfLogin: RegExp = new RegExp(`\\b${LOGIN}\\b|\\bpassword\\b|${LOGIN_ZH}|密[码碼]`);

const WORK = '(?:under|down for|undergoing|scheduled|closed for|offline for|in)';
const FAILED_50X =
  '(?:internal server error|bad gateway|(?:service|server|site|website) (?:is )?(?:temporarily |currently )?(?:unavailable|offline|overloaded)|gateway time-?out)';

export const blockedWords: ImpostorWords = {
  impostor: 'content.blocked',
  headline: [
    /^(?:just a moment|one moment,? please|one more step|attention required|pardon our interruption|robot or human|captcha|client challenge|too many requests|429 too many requests)$/,
    /^(?:please )?(?:checking|verify|verifying|confirm)(?: that)? (?:your browser|you are (?:a )?human|you are not a (?:ro)?bot)\b.{0,40}$/,
    /^(?:\w{1,20} )?(?:human|security|robot|bot|browser|captcha) (?:verification|check|checkpoint|challenge)$/,
    /^(?:are you (?:a )?(?:robot|human)|making sure you're not a bot|ddos[- ]guard|unusual traffic.{0,40})$/,
    /^(?:403\W{0,3})?(?:sorry,? )?(?:you (?:have been|are|were) |your )?(?:access |request |connection |ip )?(?:to (?:this|the) (?:page|site|website|resource) )?(?:has been |is |was )?(?:temporarily )?(?:denied|blocked|forbidden|rejected|restricted|unsuccessful)$/,
    new RegExp(
      `^(?:(?:the|this|our|we're|we are|currently|temporarily|is|site|website|system|service|server|\\w{1,20}) ){0,5}${WORK} (?:\\w{1,12} )?maintenance$`,
    ),
    /^(?:(?:site|website|system|server|service) )?maintenance(?: mode| break| in progress)?$/,
    new RegExp(`^(?:(?:http|error|status|code)\\W{0,3}){0,2}(?:50[0234]\\W{0,4})?${FAILED_50X}$`),
    /^(?:we'll be (?:right )?back(?: soon| shortly)?|(?:be )?right back|temporarily (?:unavailable|offline|closed|down)|error establishing a database connection|database (?:connection )?error|account suspended|application error)$/,
    /^(?:百度)?(?:安全|人机|人機|滑[动動块塊]|[访訪][问問]|身[份分])?(?:[验驗][证證])(?:码|碼|中心|页面|頁面)?$/,
    /^(?:抱歉\W{0,3}|[对對]不起\W{0,3})?[您你]?的?(?:[访訪][问問]|[请請]求|IP|ip|操作)?(?:已|被|已被|[过過]于|太)?(?:拒[绝絕]|[拦攔]截|阻[断斷止]|禁止|限制|[频頻]繁)(?:[访訪][问問])?(?:了)?$/,
    /^.{0,12}(?:系[统統]|[网網]站|服[务務]器?|伺服器|平[台臺])(?:正在|停机|停機)?[维維][护護](?:中|升级|升級)?$/,
    /^.{0,12}(?:正在)?(?:[维維][护護]|升[级級])中$/,
    /^(?:系[统統]|[网網]站|服[务務]器?|伺服器)(?:内部|內部)?(?:繁忙|忙碌|[暂暫][时時]不可用|[错錯][误誤]|[暂暫]停服[务務])$/,
  ],
  phrase: [
    /\bray id\b|\breference #|\bincident id\b|\bsupport id\b|\bcaptcha\b|\bnot a (?:ro)?bot\b|\byou are (?:a )?human\b|\bunusual traffic\b/,
    /\bautomated (?:requests|traffic|queries|access)\b|\benable (?:javascript|cookies)\b|\bchecking your browser\b/,
    /\bdon't have permission to (?:access|view)\b|\byou do not have permission to (?:access|view)\b|\bsecurity (?:service|solution) to protect\b|\byour (?:ip|ip address|request|access) (?:has been|was|is) (?:blocked|banned|denied|rejected)\b/,
    /\bback (?:soon|shortly|online (?:soon|shortly))\b|\btemporarily (?:unavailable|down|offline|unable)\b/,
    /\b(?:undergoing|performing|down for|scheduled) (?:\w{1,12} )?maintenance\b|\bapologi[sz]e for (?:any|the) inconvenience\b/,
    /(?:人机|人機|安全|滑[动動块塊])[验驗][证證]|不是机器人|不是機器人|[异異]常流量|[访訪][问問].{0,6}(?:[频頻]繁|被拒|被[拦攔]截|受限)|被.{0,8}(?:防火[墙牆]|安全策略).{0,4}[拦攔]截/,
    /(?:系[统統]|[网網]站|服[务務]器?|伺服器).{0,8}(?:[维維][护護]|升[级級]|繁忙)|稍[后後]再?(?:[试試]|[访訪][问問]|重[试試])|[给給][您你][带帶][来來].{0,4}不便/,
  ],
};
