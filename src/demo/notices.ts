/** Demo site: notices of an imaginary Chinese town, in the encodings such sites really use and declare in their ways. */
import { legacyEncoder } from './encode.ts';
import { type Frame, htmlPage } from './markup.ts';
import { type Notice, notices, visitorNotice } from './notices-texts.ts';
import {
  type Answer,
  answer,
  type DemoPage,
  type DemoSite,
  type Fate,
  indexed,
  never,
  plain,
} from './page.ts';

const frame: Frame = {
  site: '青溪镇人民政府',
  language: 'zh-CN',
  nav: [
    ['首页', '/'],
    ['通知公告', '/gonggao/'],
    ['办事指南', '/banshi/'],
  ],
  footer: '青溪镇是虚构的,本站仅供爬虫测试。',
};

const traditionalFrame: Frame = {
  site: '青溪鎮旅客中心',
  language: 'zh-Hant',
  nav: [['首頁', '/']],
  footer: '青溪鎮是虛構的。',
};

/** How a page says which encoding it is in. */
type Declared = 'header' | 'meta';

export function noticesSite(): DemoSite {
  const toGbk = legacyEncoder('gbk');
  const toBig5 = legacyEncoder('big5');
  const gbk = (notice: Notice, declared: Declared, label = 'gbk'): Answer =>
    declare(frame, notice, declared, label, toGbk);
  const utf8 = (notice: Notice, declared: Declared): Answer =>
    declare(frame, notice, declared, 'utf-8', (text) => new TextEncoder().encode(text));
  const page = (notice: Notice, made: Answer, fate: Fate = indexed): DemoPage => ({
    path: notice.path,
    fate,
    answer: () => ({ ...made, validator: 'etag' }),
  });
  return {
    // The refused folder is 内部, percent-encoded here and plain in the links: both name the same path.
    robots: () => plain('User-agent: *\nDisallow: /%E5%86%85%E9%83%A8/\n'),
    pages: [
      page(notices.home, gbk(notices.home, 'header')),
      page(notices.list, gbk(notices.list, 'meta')),
      page(notices.water, gbk(notices.water, 'meta')),
      page(notices.power, gbk(notices.power, 'meta', 'gb2312')),
      page(notices.road, gbk(notices.road, 'header', 'GB2312')),
      page(notices.flood, utf8(notices.flood, 'meta')),
      page(notices.school, utf8(notices.school, 'header')),
      page(notices.market, gbk(notices.market, 'header', 'gb18030')),
      page(notices.guide, utf8(notices.guide, 'header')),
      page(notices.residence, utf8(notices.residence, 'meta')),
      page(notices.pension, gbk(notices.pension, 'meta')),
      page(visitorNotice, declare(traditionalFrame, visitorNotice, 'header', 'big5', toBig5)),
      page(notices.internal, utf8(notices.internal, 'header'), never('robots.disallow')),
    ],
  };
}

function declare(
  pageFrame: Frame,
  { title, text }: Notice,
  declared: Declared,
  label: string,
  encode: (text: string) => Uint8Array,
): Answer {
  if (declared === 'header')
    return answer(encode(htmlPage(pageFrame, { title, text })), `text/html; charset=${label}`);
  return answer(encode(htmlPage(pageFrame, { title, text, charset: label })), 'text/html');
}
