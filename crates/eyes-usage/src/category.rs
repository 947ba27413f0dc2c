//! What calls are for, what is counted and what is estimated.

use serde::{Deserialize, Serialize};

macro_rules! named {
    (
        $(#[$doc:meta])+
        $kind:ident {
            $($(#[$variant_doc:meta])+ $variant:ident = $name:literal,)+
        }
    ) => {
        $(#[$doc])+
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[non_exhaustive]
        pub enum $kind {
            $($(#[$variant_doc])+ #[serde(rename = $name)] $variant,)+
        }

        impl $kind {
            /// Every one, in the order of its name's declaration.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// Returns the name that files and views use.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)+
                }
            }
        }

        impl std::fmt::Display for $kind {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.name())
            }
        }
    };
}

named! {
    /// What a call beyond the final answer is for.
    CallCategory {
        /// The pixel probe of a model that says it sees.
        VisionProbe = "visionProbe",
        /// An overview of an image.
        VisionBase = "visionBase",
        /// A question about an image.
        VisionTarget = "visionTarget",
        /// A call of the final model that ended in a request to look again.
        Clarification = "clarification",
        /// A call of the final model in the middle of an automation.
        Automation = "automation",
        /// A call of the final model for tools of MCP servers.
        Mcp = "mcp",
    }
}

impl CallCategory {
    /// Tells whether a vision model was called.
    pub const fn is_vision(self) -> bool {
        matches!(
            self,
            Self::VisionProbe | Self::VisionBase | Self::VisionTarget
        )
    }
}

named! {
    /// What is counted.
    Counter {
        /// Turns in which evidence stood for images.
        VisualTurns = "visualTurns",
        /// Turns in which the final model looked itself.
        NativeVisualTurns = "nativeVisualTurns",
        /// Turns that continued an automation.
        AutomationTurns = "automationTurns",
        /// Times the context of an automation was made smaller.
        AutomationContextCompactions = "automationContextCompactions",
        /// Automations that a limit stopped.
        AutomationLimitStops = "automationLimitStops",
        /// Calls of tools of MCP servers.
        McpExternalCalls = "mcpExternalCalls",
        /// Times the context of MCP results was made smaller.
        McpContextCompactions = "mcpContextCompactions",
        /// Uses of MCP that a limit stopped.
        McpLimitStops = "mcpLimitStops",
        /// Calls of the look tool.
        LookCalls = "lookCalls",
        /// Readings that a stored record answered.
        CacheHits = "cacheHits",
    }
}

named! {
    /// What is estimated, in tokens; no two of them are ever added, and none to what was counted.
    Estimate {
        /// Schemas of MCP tools in requests.
        McpSchemaInput = "mcpSchemaInput",
        /// Results of MCP tools in requests.
        McpResultInput = "mcpResultInput",
        /// Evidence and its frame in requests of the final model.
        BridgeInput = "bridgeInput",
        /// What was left out of requests of automations.
        AutomationInputSaved = "automationInputSaved",
    }
}
