//! Sets of lists.

use crate::config::Planes;

impl Planes {
    /// None of them.
    pub(crate) const NONE: Self = Self {
        tools: false,
        resources: false,
        prompts: false,
    };
    /// All of them.
    pub(crate) const ALL: Self = Self {
        tools: true,
        resources: true,
        prompts: true,
    };

    pub(crate) const fn is_empty(self) -> bool {
        !(self.tools || self.resources || self.prompts)
    }

    pub(crate) const fn union(self, other: Self) -> Self {
        Self {
            tools: self.tools || other.tools,
            resources: self.resources || other.resources,
            prompts: self.prompts || other.prompts,
        }
    }

    pub(crate) const fn and(self, other: Self) -> Self {
        Self {
            tools: self.tools && other.tools,
            resources: self.resources && other.resources,
            prompts: self.prompts && other.prompts,
        }
    }

    pub(crate) const fn without(self, other: Self) -> Self {
        Self {
            tools: self.tools && !other.tools,
            resources: self.resources && !other.resources,
            prompts: self.prompts && !other.prompts,
        }
    }
}

impl Default for Planes {
    fn default() -> Self {
        Self::NONE
    }
}
