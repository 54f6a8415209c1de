/** The texts of the Chinese notices site. */

export interface Notice {
  readonly path: string;
  readonly title: string;
  readonly text: string;
}

type NoticeName =
  | 'home'
  | 'list'
  | 'water'
  | 'power'
  | 'road'
  | 'flood'
  | 'school'
  | 'market'
  | 'guide'
  | 'residence'
  | 'pension'
  | 'internal';

export const notices: Readonly<Record<NoticeName, Notice>> = {
  home: {
    path: '/',
    title: '青溪镇人民政府',
    text: `
欢迎访问青溪镇人民政府网站。本镇位于青溪中游,辖十二个行政村,人口三万一千。

- [通知公告](/gonggao/)
- [办事指南](/banshi/)
- [遊客須知(繁體)](/lvyou/big5.html)
- [内部名单](/内部/mingdan)`,
  },
  list: {
    path: '/gonggao/',
    title: '通知公告',
    text: `
- [关于城东片区计划停水的通知](/gonggao/tingshui.html)
- [关于青溪变电站检修停电的公告](/gonggao/tingdian.html)
- [关于滨河路封闭施工的通告](/gonggao/fenglu.html)
- [青溪水位超警戒防汛提示](/gonggao/fangxun.html)
- [青溪镇中心小学招生公告](/gonggao/zhaosheng.html)
- [周末农贸市场搬迁公告](/gonggao/shichang.html)`,
  },
  water: {
    path: '/gonggao/tingshui.html',
    title: '关于城东片区计划停水的通知',
    text: `
因更换供水主管道,自来水公司定于三月十二日晚十点至次日早六点对城东片区停水,涉及人民路、解放街和工业园区。

请各住户提前储水。恢复供水后水质可能短时浑浊,放水数分钟即可正常使用。咨询电话:0000-1234567。`,
  },
  power: {
    path: '/gonggao/tingdian.html',
    title: '关于青溪变电站检修停电的公告',
    text: `
供电所将于三月十五日检修青溪变电站,上午八点至下午四点北岸五个村停电。医院和养老院由应急电源保障。

如遇雷雨天气,检修顺延一天,届时另行公告。`,
  },
  road: {
    path: '/gonggao/fenglu.html',
    title: '关于滨河路封闭施工的通告',
    text: `
滨河路自三月二十日起封闭施工两个月,埋设燃气管道并翻修路面。机动车请绕行国道,行人和自行车可走临时便道。

公交三路改走人民路,增设邮局站。`,
  },
  flood: {
    path: '/gonggao/fangxun.html',
    title: '青溪水位超警戒防汛提示',
    text: `
受上游强降雨影响,青溪水位昨夜超过警戒水位零点四米。镇防汛办已启动三级应急响应,请沿河居民远离河岸,不要下河捕鱼。

转移安置点设在中心小学体育馆,备有饮用水、食品和药品。`,
  },
  school: {
    path: '/gonggao/zhaosheng.html',
    title: '青溪镇中心小学招生公告',
    text: `
二〇二六年秋季一年级计划招收一百八十名新生,凡年满六周岁的适龄儿童均可报名。报名时间为六月一日至六月十日,请携带户口簿和预防接种证。`,
  },
  market: {
    path: '/gonggao/shichang.html',
    title: '周末农贸市场搬迁公告',
    text: `
因场地改造,周末农贸市场从四月起迁至体育馆停车场。原有摊位保留,摊位费减半。新市场设活禽区、蔬菜区和小吃区。`,
  },
  guide: {
    path: '/banshi/',
    title: '办事指南',
    text: `
- [居住证办理指南](/banshi/juzhuzheng.html)
- [养老保险待遇申领](/banshi/yanglao.html)`,
  },
  residence: {
    path: '/banshi/juzhuzheng.html',
    title: '居住证办理指南',
    text: `
在本镇居住半年以上的外来人员可以申请居住证。请带身份证、租房合同和一张近期照片到便民服务中心二号窗口,十五个工作日内领取。`,
  },
  pension: {
    path: '/banshi/yanglao.html',
    title: '养老保险待遇申领',
    text: `
年满六十周岁并缴费满十五年的居民,可在生日当月申领城乡居民养老保险。行动不便的老人可以预约上门办理。`,
  },
  internal: { path: '/内部/mingdan', title: '内部名单', text: '本页不对外公开。' },
};

/** Served in Big5. */
export const visitorNotice: Notice = {
  path: '/lvyou/big5.html',
  title: '青溪鎮遊客須知',
  text: `
歡迎來到青溪鎮。古橋建於清代,春天適合賞花,秋天適合登山。遊船每小時一班,颱風期間停航。

請勿在古橋上生火,也請把垃圾帶走。`,
};
