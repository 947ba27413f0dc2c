//! Phrases that have no business in the definition of a tool, in English and Chinese.

use unicode_normalization::UnicodeNormalization;

use crate::names::{Hidden, hidden_kind};

/// Bytes of the shortest text that can hold a phrase.
pub(super) const SHORTEST: usize = 4;

/// One step of a phrase: one of these words, with at most so many words before it.
type Step = (usize, &'static [&'static str]);

/// Phrases as sequences of words.
const ENGLISH: &[&[Step]] = &[
    &[
        (0, &["ignore", "disregard", "forget", "override", "bypass"]),
        (
            3,
            &[
                "previous",
                "prior",
                "above",
                "earlier",
                "preceding",
                "all",
                "any",
                "other",
                "system",
                "your",
            ],
        ),
        (
            3,
            &[
                "instruction",
                "instructions",
                "prompt",
                "prompts",
                "rule",
                "rules",
                "guideline",
                "guidelines",
                "message",
                "messages",
            ],
        ),
    ],
    &[
        (0, &["not", "don", "dont", "never", "without"]),
        (
            1,
            &[
                "tell",
                "telling",
                "mention",
                "mentioning",
                "inform",
                "informing",
                "reveal",
                "revealing",
                "notify",
                "notifying",
                "alert",
                "alerting",
                "disclose",
            ],
        ),
        (5, &["user", "users", "human", "anyone", "them"]),
    ],
    &[
        (0, &["before", "prior", "whenever", "when"]),
        (
            2,
            &[
                "using", "calling", "invoking", "running", "use", "call", "invoke",
            ],
        ),
        (3, &["tool", "tools", "function", "server"]),
        (
            8,
            &[
                "read", "send", "fetch", "open", "include", "cat", "pass", "upload",
            ],
        ),
    ],
    &[
        (0, &["pass", "send", "put", "include", "append", "provide"]),
        (3, &["contents", "content"]),
        (6, &["sidenote", "parameter", "argument", "note", "context"]),
    ],
    &[
        (
            0,
            &["send", "forward", "upload", "post", "exfiltrate", "leak"],
        ),
        (
            4,
            &[
                "conversation",
                "history",
                "credentials",
                "password",
                "passwords",
                "secrets",
                "token",
                "tokens",
                "keys",
            ],
        ),
        (3, &["to"]),
    ],
    &[
        (0, &["hide", "conceal"]),
        (5, &["from"]),
        (1, &["user", "users", "human"]),
    ],
];

/// The same in Chinese, where words are not set apart: distances in characters.
const CHINESE: &[&[Step]] = &[
    &[
        (
            0,
            &[
                "忽略",
                "无视",
                "忘记",
                "忘掉",
                "不要理会",
                "不用理会",
                "無視",
            ],
        ),
        (8, &["指令", "指示", "提示", "规则", "命令", "規則"]),
    ],
    &[
        (
            0,
            &[
                "不要", "不得", "请勿", "切勿", "不能", "不可", "别", "禁止", "無需", "无需",
            ],
        ),
        (
            6,
            &[
                "告诉", "告知", "透露", "提及", "通知", "说明", "提到", "告訴",
            ],
        ),
        (4, &["用户", "用戶", "使用者", "任何人"]),
    ],
    &[
        (
            0,
            &["不要", "不得", "请勿", "切勿", "不能", "不可", "别", "禁止"],
        ),
        (3, &["用户", "用戶", "使用者"]),
        (
            4,
            &[
                "告诉", "告知", "透露", "提及", "通知", "说明", "提到", "知道", "告訴",
            ],
        ),
    ],
    &[
        (0, &["使用", "调用", "運行", "运行", "执行"]),
        (6, &["工具", "函数"]),
        (2, &["之前", "前"]),
        (
            10,
            &["读取", "阅读", "打开", "发送", "查看", "上传", "讀取"],
        ),
    ],
];

/// Markup that speaks to the model and not to the reader of a definition.
const MARKUP: &[&str] = &[
    "<important",
    "<system",
    "</system",
    "<secret",
    "<instruction",
    "<hidden",
    "<critical",
    "[system]",
    "[inst]",
    "<<sys>>",
    "<|im_start|>",
    "<|system|>",
    "system prompt:",
];

/// Files that hold secrets, as they are written in prose.
const SECRET_FILES: &[&str] = &[
    ".ssh",
    "id_rsa",
    "id_ed25519",
    ".aws/credentials",
    "/etc/passwd",
    "/etc/shadow",
    ".netrc",
    ".npmrc",
    ".pypirc",
    ".git-credentials",
    ".kube/config",
    ".docker/config.json",
    "mcp.json",
    "claude_desktop_config",
    ".env",
    "credentials.json",
    "wallet.dat",
    "library/keychains",
    ".gnupg",
];

/// How addresses begin.
const SCHEMES: &[&str] = &["http://", "https://", "ws://", "wss://", "ftp://"];

/// Makes a text comparable: compatibility forms (NFKC) in lower case, without characters that take no room.
pub(super) fn fold(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    text.nfkc()
        .filter(|&character| {
            !matches!(
                hidden_kind(character),
                Some(Hidden::ZeroWidth | Hidden::Bidi | Hidden::Variation | Hidden::Tag)
            ) && character != '\u{ad}'
        })
        .flat_map(char::to_lowercase)
        .collect()
}

/// Finds the first instruction in a folded text: its byte offset.
pub(super) fn instruction(folded: &str) -> Option<usize> {
    // One look for what all of it has in common, before the search for each.
    let any = memchr::memchr3(b'<', b'[', b':', folded.as_bytes()).is_some();
    let marks = if any { MARKUP } else { &[] };
    let markup = marks.iter().filter_map(|mark| folded.find(mark)).min();
    markup.or_else(|| english(folded)).or_else(|| {
        if folded.is_ascii() {
            None
        } else {
            chinese(folded)
        }
    })
}

/// Finds the first name of a file with secrets.
pub(super) fn secret_file(folded: &str) -> Option<usize> {
    memchr::memchr3(b'.', b'/', b'_', folded.as_bytes())?;
    SECRET_FILES
        .iter()
        .filter_map(|name| {
            folded.match_indices(name).map(|(at, _)| at).find(|&at| {
                let before = folded[..at].chars().next_back();
                let behind = folded[at + name.len()..].chars().next();
                // `process.env` and `mcp.jsonl` are none.
                let stands_alone = |next: Option<char>| !next.is_some_and(char::is_alphanumeric);
                stands_alone(before) && stands_alone(behind)
            })
        })
        .min()
}

/// Finds the first address on the network.
pub(super) fn address(folded: &str) -> Option<usize> {
    // One search for what all of them have in common.
    folded.match_indices("://").find_map(|(at, _)| {
        let before = &folded[..at + 3];
        let scheme = SCHEMES.iter().find(|scheme| before.ends_with(**scheme))?;
        Some(before.len() - scheme.len())
    })
}

fn english(folded: &str) -> Option<usize> {
    let words = words(folded);
    (0..words.len()).find_map(|start| {
        ENGLISH
            .iter()
            .any(|steps| follows(&words, start, steps))
            .then(|| words[start].0)
    })
}

/// Splits a text into words, each with its byte offset.
fn words(folded: &str) -> Vec<(usize, &str)> {
    let mut words = Vec::new();
    let mut start = None;
    for (at, character) in folded.char_indices() {
        match (start, character.is_alphanumeric()) {
            (None, true) => start = Some(at),
            (Some(from), false) => {
                words.push((from, &folded[from..at]));
                start = None;
            }
            _ => {}
        }
    }
    if let Some(from) = start {
        words.push((from, &folded[from..]));
    }
    words
}

/// Tells whether the steps are met from the word at `start` on; each step looks at a bounded number of words.
fn follows(words: &[(usize, &str)], start: usize, steps: &[Step]) -> bool {
    let Some(((gap, wanted), later)) = steps.split_first() else {
        return true;
    };
    (start..words.len())
        .take(gap + 1)
        .any(|at| wanted.contains(&words[at].1) && follows(words, at + 1, later))
}

fn chinese(folded: &str) -> Option<usize> {
    folded
        .char_indices()
        .filter(|(_, character)| !character.is_ascii())
        .map(|(at, _)| at)
        .find(|&at| CHINESE.iter().any(|steps| goes_on(&folded[at..], steps)))
}

/// Tells whether the steps are met from the start of the text on.
fn goes_on(text: &str, steps: &[Step]) -> bool {
    let Some(((gap, wanted), later)) = steps.split_first() else {
        return true;
    };
    text.char_indices().take(gap + 1).any(|(at, _)| {
        wanted.iter().any(|word| {
            text[at..]
                .strip_prefix(word)
                .is_some_and(|rest| goes_on(rest, later))
        })
    })
}
