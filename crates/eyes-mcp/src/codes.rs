//! The codes of this crate.
//!
//! Grouped by the module that raises them; a new one goes to the end of its group.

eyes_evidence::error_codes! {
    // config
    /// A variable that a server's settings refer to is not set or empty.
    MCP_CREDENTIAL_MISSING: Invalid, AfterChange, "set the named environment variable, then reconnect the server";
    /// The settings of MCP servers break a rule.
    MCP_CONFIG_INVALID: Invalid, AfterChange, "correct the member that the message names";
    /// A file of another host is none that servers can be taken from.
    MCP_IMPORT_INVALID: Invalid, AfterChange, "name a file with `mcpServers` or `servers`, such as claude_desktop_config.json or .vscode/mcp.json";

    // wire and connection
    /// No connection to the server could be made.
    MCP_CONNECT_FAILED: Unavailable, Later, "see the message and the server's last lines on standard error; try `eyes mcp test ID`";
    /// The connection to the server is gone.
    MCP_CONNECTION_UNHEALTHY: Unavailable, Later, "wait for the next attempt to connect, or reconnect the server";
    /// A message of the server is larger than is read.
    MCP_MESSAGE_SIZE_LIMIT: Rejected, AfterChange, "ask the tool for less, or page through its result";
    /// A message of the server is nested deeper, or has more values or longer texts, than is read.
    MCP_MESSAGE_SHAPE_LIMIT: Rejected, AfterChange, "ask the tool for less, or report the message to the server's authors";
    /// A message of the server is none of the protocol.
    MCP_MESSAGE_INVALID: Rejected, Never, "report the message to the server's authors";
    /// The server took longer than a request waits.
    MCP_REQUEST_TIMEOUT: Unavailable, Later, "raise timeoutMs of the server, or ask for less";
    /// The server answered with an error of the protocol.
    MCP_REQUEST_FAILED: Failed, AfterChange, "see the message; the server says why";
    /// The caller stopped the request.
    MCP_REQUEST_CLOSED: Refused, Never, "nothing to do: the caller stopped it";
    /// A server's process did not end in time although it was killed.
    MCP_ADAPTER_CLOSE_FAILED: Failed, Later, "look for the process that the message names; it may hang in the kernel";

    // manager and calls
    /// No server has this id.
    MCP_SERVER_UNKNOWN: Invalid, AfterChange, "see `eyes mcp list` for the configured servers";
    /// The tool is not there now.
    MCP_TOOL_UNAVAILABLE: Unavailable, Later, "see `eyes mcp tools` for what is there, or reconnect the server";
    /// The tool may write, and the server is read-only by policy.
    MCP_TOOL_RISK_BLOCKED: Refused, AfterChange, "set riskPolicy of the server to allow, if the tool may write";
    /// The tool is not allowed by the server's lists.
    MCP_TOOL_NOT_ALLOWED: Refused, AfterChange, "add the tool to allowedTools of the server";
    /// Nobody approved the call.
    MCP_TOOL_NOT_APPROVED: Refused, AfterChange, "approve the call, or choose another tool";
    /// The call failed.
    MCP_TOOL_CALL_FAILED: Failed, AfterChange, "see the message; the call is not made again on its own";

    // catalog
    /// A server lists more tools than are taken.
    MCP_CATALOG_TOOL_LIMIT: Rejected, AfterChange, "let the server offer fewer tools, or split it into several";
    /// The definitions of a server have more characters than are taken.
    MCP_CATALOG_SCHEMA_CHARS_LIMIT: Rejected, AfterChange, "let the server offer fewer tools, or smaller schemas";
    /// The definitions of a server have more bytes than are taken.
    MCP_CATALOG_SCHEMA_BYTES_LIMIT: Rejected, AfterChange, "let the server offer fewer tools, or smaller schemas";
    /// A definition is nested deeper than is taken.
    MCP_CATALOG_SCHEMA_DEPTH_LIMIT: Rejected, AfterChange, "report the tool to the server's authors; the other tools are there";
    /// The definitions of a server have more values than are taken.
    MCP_CATALOG_SCHEMA_NODES_LIMIT: Rejected, AfterChange, "let the server offer fewer tools, or smaller schemas";
    /// A definition, or a page of the list, is none.
    MCP_CATALOG_SCHEMA_INVALID: Rejected, AfterChange, "report the tool to the server's authors; the other tools are there";
    /// A tool has no name, or one with characters that nobody sees.
    MCP_CATALOG_NAME_INVALID: Rejected, AfterChange, "report the tool to the server's authors; the other tools are there";
    /// A tool only runs as a task, which is not supported.
    MCP_CATALOG_TASK_UNSUPPORTED: Rejected, AfterChange, "ask the server's authors for a tool that also runs without a task";
    /// Two tools of a server have one public name; the later one is refused.
    MCP_CATALOG_DUPLICATE_TOOL: Rejected, AfterChange, "rename one of the two in the server";
    /// A list came back to a cursor that it gave before.
    MCP_CATALOG_CURSOR_LOOP: Rejected, AfterChange, "report the list to the server's authors";
    /// A list has more pages than are asked for.
    MCP_CATALOG_PAGE_LIMIT: Rejected, AfterChange, "let the server list more on a page";
    /// A list took longer than all its pages may.
    MCP_CATALOG_TIMEOUT: Unavailable, Later, "reconnect the server; ask its authors why listing is slow";
    /// A server lists more resources, templates and prompts than are taken.
    MCP_CONTENT_CATALOG_ENTRY_LIMIT: Rejected, AfterChange, "let the server list fewer, and offer a template for the others";
    /// What a server lists to be read has more characters than is taken.
    MCP_CONTENT_CATALOG_CHAR_LIMIT: Rejected, AfterChange, "let the server list fewer, or shorter descriptions";
    /// What a server lists to be read has more bytes than is taken.
    MCP_CONTENT_CATALOG_BYTE_LIMIT: Rejected, AfterChange, "let the server list fewer, or shorter descriptions";
    /// A listed resource, template or prompt, or a page of the list, is none.
    MCP_CONTENT_CATALOG_INVALID: Rejected, AfterChange, "report the entry to the server's authors; the others are there";
    /// A list of resources, templates or prompts came back to a cursor that it gave before.
    MCP_CONTENT_CURSOR_LOOP: Rejected, AfterChange, "report the list to the server's authors";
    /// A list of resources, templates or prompts has more pages than are asked for.
    MCP_CONTENT_PAGE_LIMIT: Rejected, AfterChange, "let the server list more on a page";

    // content
    /// The id of a server, the address or the name is empty or unusable, or arguments are no object.
    MCP_CONTENT_INPUT_INVALID: Invalid, AfterChange, "correct the member that the message names";
    /// Resources of the server are switched off.
    MCP_RESOURCES_DISABLED: Refused, AfterChange, "set resourcesEnabled of the server";
    /// No resource and no allowed template of the server has this address.
    MCP_RESOURCE_UNKNOWN: Invalid, AfterChange, "see `eyes mcp resources` for what may be read";
    /// The resource is not allowed by the server's lists.
    MCP_RESOURCE_NOT_ALLOWED: Refused, AfterChange, "add the address or its template to allowedResources of the server";
    /// A template of addresses is none, or too long.
    MCP_RESOURCE_TEMPLATE_INVALID: Rejected, AfterChange, "report the template to the server's authors; the others are there";
    /// What a server gave for a resource is none.
    MCP_RESOURCE_RESULT_INVALID: Rejected, AfterChange, "report the resource to the server's authors";
    /// Prompts of the server are switched off.
    MCP_PROMPTS_DISABLED: Refused, AfterChange, "set promptsEnabled of the server";
    /// No prompt of the server has this name.
    MCP_PROMPT_UNKNOWN: Invalid, AfterChange, "see `eyes mcp prompts` for what there is";
    /// The prompt is not allowed by the server's lists.
    MCP_PROMPT_NOT_ALLOWED: Refused, AfterChange, "add the prompt to allowedPrompts of the server";
    /// An argument of a prompt is not declared, or no text, or too long.
    MCP_PROMPT_ARGUMENT_INVALID: Invalid, AfterChange, "give the declared arguments as texts";
    /// An argument that a prompt needs is missing.
    MCP_PROMPT_ARGUMENT_REQUIRED: Invalid, AfterChange, "give the argument that the message names";
    /// What a server gave for a prompt is none.
    MCP_PROMPT_RESULT_INVALID: Rejected, AfterChange, "report the prompt to the server's authors";

    // pins
    /// The definition is no longer the one that was looked at.
    MCP_PIN_STALE: Stale, AfterChange, "look at it again with `eyes mcp diff`, then approve that";
    /// The server has no such tool that could be approved.
    MCP_PIN_MISSING: Invalid, AfterChange, "see `eyes mcp tools` for the server's tools";
    /// The file of pins could not be read or written.
    MCP_PIN_STORE_FAILED: Unavailable, Later, "see the message; nothing new is trusted until the file can be used";
    /// The file of pins was written by a newer version.
    MCP_PIN_STORE_UNSUPPORTED: Invalid, AfterChange, "use the newer version, or move the file away";
    /// The definition looks dangerous, and whoever approves it did not say that they saw why.
    MCP_PIN_BLOCKED: Refused, AfterChange, "read what `eyes mcp diff` shows of it, then approve it with --flagged";
    // schema
    /// The schema of a tool cannot be used to check arguments.
    MCP_TOOL_SCHEMA_INVALID: Rejected, Never, "report the schema to the server's authors; the tool cannot be called until it is corrected";
    /// The schema of a tool is larger, deeper or costlier than is used.
    MCP_TOOL_SCHEMA_LIMIT: Rejected, Never, "report the schema to the server's authors; the tool cannot be called until it is smaller";
    /// The schema of a tool needs something that is not supported, such as a schema elsewhere.
    MCP_TOOL_SCHEMA_UNSUPPORTED: Rejected, Never, "ask the server's authors for a schema that stands on its own";
    /// The arguments of a call do not fit the tool's schema.
    MCP_TOOL_ARGUMENTS_INVALID: Invalid, AfterChange, "correct the members that the message names; capability_describe or the definition has the schema";
    /// Checking the arguments of a call would cost too much.
    MCP_TOOL_ARGUMENTS_LIMIT: Rejected, AfterChange, "pass smaller or flatter arguments";

    // exposure
    /// The arguments of a capability tool break its schema.
    MCP_CAPABILITY_REQUEST_INVALID: Invalid, AfterChange, "correct the argument that the message names";
    // results, artifacts and quota
    /// The result nests deeper than is admitted.
    MCP_RESULT_DEPTH_LIMIT: Rejected, AfterChange, "ask the tool for less, or for a flatter form";
    /// The result has more values than are admitted.
    MCP_RESULT_NODE_LIMIT: Rejected, AfterChange, "ask the tool for less, or page through its result";
    /// The result has more content blocks than are admitted.
    MCP_RESULT_BLOCK_LIMIT: Rejected, AfterChange, "ask the tool for less, or page through its result";
    /// The texts of the result are longer than is admitted.
    MCP_RESULT_STRING_LIMIT: Rejected, AfterChange, "ask the tool for less, or page through its result";
    /// The result has more images than are admitted.
    MCP_RESULT_IMAGE_COUNT_LIMIT: Rejected, AfterChange, "ask the tool for fewer images";
    /// The images of the result have more base64 than is admitted.
    MCP_RESULT_IMAGE_ENCODED_LIMIT: Rejected, AfterChange, "ask the tool for fewer or smaller images";
    /// The images of the result have more bytes than are admitted.
    MCP_RESULT_IMAGE_DECODED_LIMIT: Rejected, AfterChange, "ask the tool for fewer or smaller images";
    /// There is no artifact with this digest.
    MCP_ARTIFACT_MISSING: Unavailable, Never, "use the digest that a result names; old artifacts are removed, so call the tool again";
    /// The run has made as many calls of MCP servers as one may.
    MCP_EXTERNAL_CALL_LIMIT_REACHED: Refused, AfterChange, "raise mcpMaxExternalCallsPerRun, or begin a new run";
    // net
    /// The address of a server, or of what it points to, may not be reached.
    MCP_ADDRESS_BLOCKED: Refused, AfterChange, "use an https address on the public network, or set allowPrivate of the server for a local one";

    // adapter
    /// A server asked for input again and again.
    MCP_INPUT_ROUND_LIMIT: Rejected, AfterChange, "report it to the server's authors; its result never came";
    /// The server wants authorization, and there is none or it is refused.
    MCP_AUTHORIZATION_MISSING: Refused, AfterChange, "set oauth or an Authorization header of the server, or renew the token";
    /// The server is switched off.
    MCP_SERVER_DISABLED: Refused, AfterChange, "set enabled of the server, and mcpEnabled";
    /// The server's resources and prompts are not there now.
    MCP_CONTENT_UNAVAILABLE: Unavailable, Later, "see `eyes mcp list` for the servers, or reconnect this one";
    /// The server refused to give the resource.
    MCP_RESOURCE_READ_FAILED: Failed, AfterChange, "see the message; the server says why";
    /// The server refused to give the prompt.
    MCP_PROMPT_GET_FAILED: Failed, AfterChange, "see the message; the server says why";
    /// Tools are switched on, and the server has none.
    MCP_TOOLS_UNSUPPORTED: Failed, AfterChange, "set toolsEnabled of the server to false";
    /// Resources are switched on, and the server has none.
    MCP_RESOURCES_UNSUPPORTED: Failed, AfterChange, "set resourcesEnabled of the server to false";
    /// Prompts are switched on, and the server has none.
    MCP_PROMPTS_UNSUPPORTED: Failed, AfterChange, "set promptsEnabled of the server to false";
    /// The server does not tell when single resources change.
    MCP_SUBSCRIPTION_UNSUPPORTED: Failed, Never, "read the resource again when it is needed";
    /// As many resources of the server as may be are subscribed to.
    MCP_SUBSCRIPTION_LIMIT: Refused, AfterChange, "end subscriptions that are not needed";

    // oauth
    /// A variable that the authorization of a server refers to is not set or empty.
    MCP_OAUTH_CREDENTIAL_MISSING: Invalid, AfterChange, "set the named environment variable, then reconnect the server";
    /// A credential of a server's authorization cannot be used.
    MCP_OAUTH_CREDENTIAL_INVALID: Invalid, AfterChange, "give an RSA or EC private key as PEM (PKCS#8; `openssl pkcs8 -topk8 -nocrypt` converts), and an algorithm that fits it";
    /// No authorization server could be found for the server.
    MCP_OAUTH_DISCOVERY_FAILED: Unavailable, Later, "see the message; the server must publish protected resource metadata (RFC 9728)";
    /// What a server publishes of its authorization breaks a rule.
    MCP_OAUTH_METADATA_INVALID: Rejected, AfterChange, "report the message to the server's operators; nothing was sent there";
    /// An authorization server is not the one that was expected.
    MCP_OAUTH_ISSUER_MISMATCH: Rejected, AfterChange, "do not trust the answer; when the server moved on purpose, restart and log in again";
    /// The authorization server takes none of the ways that are there to prove the client.
    MCP_OAUTH_METHOD_UNSUPPORTED: Invalid, AfterChange, "choose a credential or authMethod that the message names";
    /// An answer of the authorization is larger than is read.
    MCP_OAUTH_RESPONSE_LIMIT: Rejected, Never, "report the address of the message to the server's operators";
    /// The authorization took longer than is waited.
    MCP_OAUTH_TIMEOUT: Unavailable, Later, "try again; the authorization server does not answer in time";
    /// The authorization server refused.
    MCP_OAUTH_FAILED: Failed, AfterChange, "see the message; check the client's id, its credential and the scope";
    /// The authorization server's answer is no token that can be used.
    MCP_OAUTH_TOKEN_INVALID: Rejected, Never, "report the message to the authorization server's operators";
    /// The server asks for more scope than the token has, and it was asked for already or a person must agree.
    MCP_OAUTH_SCOPE_MISSING: Refused, AfterChange, "set oauth.scope of the server, or run `eyes mcp login ID` to agree to more";
    /// A person must log in first.
    MCP_OAUTH_LOGIN_MISSING: Refused, AfterChange, "run `eyes mcp login ID`";
    /// The login did not succeed.
    MCP_OAUTH_LOGIN_FAILED: Failed, AfterChange, "run `eyes mcp login ID` again and follow the newest address";
    /// Nobody finished the login in time.
    MCP_OAUTH_LOGIN_TIMEOUT: Unavailable, AfterChange, "run `eyes mcp login ID` again";
    /// Tokens could not be kept or read.
    MCP_OAUTH_STORE_FAILED: Failed, Later, "unlock the system's keyring, or turn keyring off for the server";
    /// There is no keyring here.
    MCP_OAUTH_STORE_UNAVAILABLE: Unavailable, AfterChange, "start the system's keyring service, or turn keyring off for the server";

    // serve
    /// The server for other hosts could not be started, or ended with a fault.
    MCP_SERVE_FAILED: Failed, AfterChange, "see the message; choose another port if this one is taken";
}
