export { BusyError, GoneError, GuestError, HostError, InvalidError, LimitError, NotFoundError, RetortError } from "./src/errors.js";
export { Display, Output, Result } from "./src/result.js";
export { Engine } from "./src/engine.js";
export { connect } from "./src/connect.js";
export { Session } from "./src/session.js";
export { CodeTool } from "./src/tools.js";
