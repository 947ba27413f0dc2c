//! Words for the same thing, and English words for Chinese ones.
//!
//! General words of computing only: what a query calls a thing is seldom what a tool calls it.

use std::{collections::BTreeMap, sync::LazyLock};

use super::words::{self, is_han, stem};
use crate::limits::MAX_QUERY_WORDS;

/// What another word for the same thing weighs.
const SYNONYM: f64 = 0.55;
/// What a translated word weighs.
const TRANSLATION: f64 = 0.9;
/// What a word for the same thing as a translated one weighs.
const TRANSLATED_SYNONYM: f64 = 0.45;

/// One thing that a query asks for, in all the words for it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Concept {
    /// Words as the index has them, and what each weighs.
    pub(super) words: Vec<(String, f64)>,
}

impl Concept {
    fn add(&mut self, word: &str, weight: f64) {
        match self.words.iter_mut().find(|(known, _)| known == word) {
            Some((_, known)) => *known = known.max(weight),
            None => self.words.push((word.to_owned(), weight)),
        }
    }

    fn add_with_synonyms(&mut self, word: &str, weight: f64, synonym: f64) {
        self.add(word, weight);
        for other in SYNONYMS.get(word).into_iter().flatten() {
            self.add(other, synonym);
        }
    }
}

/// Returns what a query asks for.
pub(super) fn concepts(text: &str) -> Vec<Concept> {
    let mut concepts: Vec<Concept> = Vec::new();
    let mut seen: Vec<String> = Vec::new();
    words::each(text, &mut |word| {
        if seen.len() < MAX_QUERY_WORDS && !seen.iter().any(|known| known == word) {
            seen.push(word.to_owned());
            let mut concept = Concept { words: Vec::new() };
            concept.add_with_synonyms(word, 1.0, SYNONYM);
            concepts.push(concept);
        }
    });
    for english in translations(text).into_iter().take(MAX_QUERY_WORDS) {
        let mut concept = Concept { words: Vec::new() };
        for word in english.split(' ') {
            concept.add_with_synonyms(stem(word), TRANSLATION, TRANSLATED_SYNONYM);
        }
        if !concepts.contains(&concept) {
            concepts.push(concept);
        }
    }
    concepts
}

/// Returns the English for what Chinese words of a text are known, the longest first at each place.
fn translations(text: &str) -> Vec<&'static str> {
    let characters: Vec<char> = text.chars().collect();
    let mut found = Vec::new();
    let mut at = 0;
    while at < characters.len() {
        let longest = (1..=4).rev().find_map(|length| {
            let word = characters.get(at..at + length)?;
            if !word.iter().all(|character| is_han(*character)) {
                return None;
            }
            let english = CHINESE.get(word.iter().collect::<String>().as_str())?;
            Some((length, *english))
        });
        match longest {
            Some((length, english)) => {
                if !found.contains(&english) {
                    found.push(english);
                }
                at += length;
            }
            None => at += 1,
        }
    }
    found
}

static SYNONYMS: LazyLock<BTreeMap<&str, Vec<&str>>> = LazyLock::new(|| {
    let mut synonyms: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for group in GROUPS {
        let stems: Vec<&str> = group.split(' ').map(stem).collect();
        for word in &stems {
            let others = stems.iter().filter(|other| *other != word);
            synonyms.entry(word).or_default().extend(others);
        }
    }
    synonyms
});

static CHINESE: LazyLock<BTreeMap<&str, &str>> = LazyLock::new(|| {
    TRANSLATED
        .iter()
        .flat_map(|(chinese, english)| chinese.split(' ').map(move |word| (word, *english)))
        .collect()
});

/// Words that stand for one another.
const GROUPS: &[&str] = &[
    "get read fetch retrieve load show view display see obtain access",
    "open launch start",
    "list enumerate browse show available which",
    "search find query lookup locate grep look discover",
    "create make new add insert register generate",
    "delete remove drop erase destroy discard clear trash",
    "update edit modify change alter patch set adjust revise rewrite",
    "write save store put record overwrite",
    "send post publish submit deliver",
    "reply respond answer comment",
    "run execute exec invoke evaluate perform",
    "stop kill cancel abort terminate end halt",
    "close shut dismiss",
    "copy duplicate clone replicate",
    "move rename relocate transfer",
    "directory folder dir",
    "file document",
    "picture image photo",
    "screenshot capture snapshot picture",
    "repository repo project codebase",
    "pull merge pr",
    "issue bug ticket problem",
    "url link address website site web page webpage",
    "convert transform translate change turn",
    "compare diff difference changed changes",
    "time clock hour",
    "date day today now current",
    "weather temperature climate",
    "forecast prediction predict",
    "user person people member account profile",
    "channel room conversation",
    "message chat text dm",
    "email mail inbox",
    "database db sql table",
    "schema structure column describe",
    "history log past",
    "status state condition",
    "info information detail details metadata properties",
    "click press tap push",
    "type enter fill input",
    "select choose pick option",
    "navigate visit goto go browse open",
    "upload attach import",
    "download save export",
    "commit checkin",
    "stage add index",
    "branch fork",
    "switch checkout change",
    "calculate compute evaluate",
    "summarize summary overview",
    "directions route path navigation",
    "place location address where",
    "memory remember knowledge note",
    "entity node object",
    "relation link connection edge relationship",
    "calendar schedule event meeting appointment",
    "analyze examine study assess",
    "inspect check look examine",
    "decode parse decrypt",
    "trace track follow",
    "validate verify check",
    "render draw display",
    "javascript js",
    "certificate cert ssl tls",
    "network net traffic",
    "container docker",
    "size bytes large big",
    "tree hierarchy recursive nested",
    "permission access allowed rights",
    "reaction emoji",
    "thread replies",
    "tab window",
    "wait delay sleep pause",
    "javascript script code",
    "console log output",
    "request http api call",
    "cookie session",
    "currency money exchange",
    "translate language",
    "stock price quote",
    "restart reboot",
    "pod kubernetes k8s",
    "release version tag",
    "label tag category",
    "assign owner",
    "undo revert reset discard unstage",
];

/// Chinese words, and the English ones that tools use for them.
const TRANSLATED: &[(&str, &str)] = &[
    ("读取 读 查看 看看 看 打印", "read get"),
    ("获取 取得 拿到 得到", "get fetch"),
    ("写入 写 保存 存", "write save"),
    ("文件 档案", "file"),
    ("文档", "document"),
    ("目录 文件夹", "directory folder"),
    ("列出 列表 有哪些 哪些", "list"),
    ("搜索 查找 寻找 找 检索 搜", "search find"),
    ("查询", "query search"),
    ("创建 新建 建立 建", "create"),
    ("添加 增加 加", "add"),
    ("删除 删掉 移除 清除 删", "delete remove"),
    ("修改 编辑 更改 改", "edit update"),
    ("更新", "update"),
    ("发送 发 发布", "send post"),
    ("消息 信息", "message"),
    ("频道", "channel"),
    ("回复", "reply"),
    ("评论", "comment"),
    ("邮件 邮箱", "email mail"),
    ("移动", "move"),
    ("重命名 改名", "rename move"),
    ("复制 拷贝", "copy"),
    ("仓库 代码库", "repository"),
    ("代码", "code"),
    ("提交", "commit"),
    ("提交记录 历史 日志 记录", "log history"),
    ("分支", "branch"),
    ("合并请求 拉取请求", "pull request"),
    ("合并", "merge"),
    ("问题 工单", "issue"),
    ("差异 区别 对比 比较 改动", "diff compare"),
    ("状态", "status"),
    ("切换", "switch checkout"),
    ("暂存", "stage add"),
    ("推送", "push"),
    ("拉取", "pull"),
    ("网页 页面 网站", "page web"),
    ("网址 链接", "url"),
    ("浏览器", "browser"),
    ("打开 访问", "open navigate"),
    ("关闭 关掉", "close"),
    ("点击 单击 按", "click"),
    ("输入 填写 键入", "type fill"),
    ("截图 截屏 快照", "screenshot snapshot"),
    ("按钮", "button"),
    ("元素", "element"),
    ("表单", "form"),
    ("等待", "wait"),
    ("标签页", "tab"),
    ("标签", "label tag"),
    ("数据库", "database"),
    ("表 数据表", "table"),
    ("结构", "schema describe"),
    ("运行 执行", "run execute"),
    ("语句", "query sql"),
    ("时间 几点", "time"),
    ("时区", "timezone"),
    ("日期 今天", "date"),
    ("转换 换算", "convert"),
    ("天气", "weather"),
    ("预报", "forecast"),
    ("警报 预警", "alert"),
    ("温度 气温", "temperature"),
    ("用户", "user"),
    ("成员", "member"),
    ("图片 图像 照片", "image"),
    ("地图", "map"),
    ("路线 导航", "directions route"),
    ("距离", "distance"),
    ("地址", "address"),
    ("地点 位置", "place location"),
    ("坐标 经纬度", "coordinates geocode"),
    ("附近", "nearby"),
    ("记忆", "memory"),
    ("知识", "knowledge"),
    ("图谱", "graph"),
    ("实体", "entity"),
    ("关系", "relation"),
    ("笔记", "note"),
    ("下载", "download"),
    ("上传", "upload"),
    ("导出", "export"),
    ("导入", "import"),
    ("分析", "analyze"),
    ("检查", "inspect check"),
    ("验证 校验", "validate"),
    ("解码", "decode"),
    ("渲染", "render"),
    ("跟踪 追踪", "trace"),
    ("补丁", "patch"),
    ("证书", "certificate"),
    ("网络", "network"),
    ("抓包", "capture"),
    ("会话", "session"),
    ("安卓", "android"),
    ("内存", "memory"),
    ("转储", "dump"),
    ("容器", "container"),
    ("镜像", "image"),
    ("字体", "font"),
    ("注册表", "registry"),
    ("内核", "kernel"),
    ("二进制", "binary"),
    ("源码映射", "source map"),
    ("大小", "size"),
    ("权限", "permission"),
    ("信息 详情", "info details"),
    ("内容", "content"),
    ("树", "tree"),
    ("行", "line row"),
    ("任务 待办", "task todo"),
    ("日历 日程", "calendar"),
    ("会议", "meeting"),
    ("事件", "event"),
    ("项目", "project"),
    ("版本", "version release"),
    ("测试", "test"),
    ("错误", "error"),
    ("控制台", "console"),
    ("请求", "request"),
    ("重启", "restart"),
    ("停止", "stop"),
    ("启动", "start"),
    ("服务", "service"),
    ("股票", "stock"),
    ("价格", "price"),
    ("翻译", "translate"),
    ("语言", "language"),
    ("总结 摘要", "summary"),
    ("思考 推理", "thinking reasoning"),
    ("步骤", "step"),
    ("名字 名称", "name"),
    ("关键词", "keyword"),
    ("抓取 爬取", "fetch crawl scrape"),
    ("表情", "reaction emoji"),
    ("话题 线程", "thread"),
    ("创作 生成", "generate create"),
];
