//! What each provider accepts.

/// A model API, as far as schemas of tools are concerned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[non_exhaustive]
pub enum SchemaProfile {
    /// `parameters` of functions of `OpenAI`, without `strict`.
    OpenAi,
    /// `input_schema` of Anthropic: valid as JSON Schema 2020-12, names of members restricted.
    Anthropic,
    /// `parameters` of functions of `DeepSeek`, without `strict`.
    DeepSeek,
    /// The part of JSON Schema that every API takes.
    #[default]
    Strict,
}

/// What a profile keeps.
#[derive(Debug)]
pub(super) struct Rules {
    /// Keywords that are taken out, besides those that no profile keeps.
    pub(super) drops: &'static [&'static str],
    /// Whether only [`PLAIN`] keywords are kept.
    pub(super) plain_only: bool,
    /// Whether names of members are 1 to 64 of `A-Z a-z 0-9 _ . -`.
    pub(super) restricts_names: bool,
    /// Schemas inside one another; what is deeper may be anything.
    pub(super) max_depth: usize,
}

/// Keywords that every API takes.
pub(super) const PLAIN: &[&str] = &[
    "additionalProperties",
    "anyOf",
    "default",
    "description",
    "enum",
    "items",
    "maximum",
    "maxItems",
    "maxLength",
    "minimum",
    "minItems",
    "minLength",
    "properties",
    "required",
    "title",
    "type",
];

/// Keywords that name or annotate and mean nothing once references stand for themselves.
pub(super) const SILENT: &[&str] = &[
    "$anchor",
    "$comment",
    "$defs",
    "$dynamicAnchor",
    "$id",
    "$recursiveAnchor",
    "$schema",
    "$vocabulary",
    "definitions",
    "id",
    "nullable",
];

const OPEN_AI: Rules = Rules {
    drops: &["unevaluatedItems", "unevaluatedProperties"],
    plain_only: false,
    restricts_names: false,
    max_depth: 16,
};

const ANTHROPIC: Rules = Rules {
    drops: &["unevaluatedItems", "unevaluatedProperties"],
    plain_only: false,
    restricts_names: true,
    max_depth: 16,
};

// The beta of its strict mode knows no lengths of texts and lists; elsewhere they do no harm.
const DEEP_SEEK: Rules = Rules {
    drops: &[
        "contains",
        "dependencies",
        "dependentRequired",
        "dependentSchemas",
        "else",
        "if",
        "not",
        "patternProperties",
        "prefixItems",
        "propertyNames",
        "then",
        "unevaluatedItems",
        "unevaluatedProperties",
    ],
    plain_only: false,
    restricts_names: true,
    max_depth: 12,
};

const STRICT: Rules = Rules {
    drops: &[],
    plain_only: true,
    restricts_names: true,
    max_depth: 8,
};

impl SchemaProfile {
    pub(super) const fn rules(self) -> &'static Rules {
        match self {
            Self::OpenAi => &OPEN_AI,
            Self::Anthropic => &ANTHROPIC,
            Self::DeepSeek => &DEEP_SEEK,
            Self::Strict => &STRICT,
        }
    }
}

impl Rules {
    pub(super) fn keeps(&self, keyword: &str) -> bool {
        if self.plain_only {
            return PLAIN.contains(&keyword);
        }
        !self.drops.contains(&keyword)
    }

    /// Whether a provider accepts the name of a member.
    pub(super) fn accepts_name(&self, name: &str) -> bool {
        !self.restricts_names
            || ((1..=64).contains(&name.len())
                && name
                    .bytes()
                    .all(|byte| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte)))
    }
}
