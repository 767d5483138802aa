import { branch, child, type Element, leaf, optionalLeaf, optionalText, text } from "./element.js";
import { optionalCount } from "./scalars.js";

/** A VEN's poll: `oadr:oadrRequestEvent`. */
export interface RequestEvent {
  readonly kind: "requestEvent";
  /** May be empty. */
  readonly requestId: string;
  readonly venId: string;
  /** The most events that the VEN accepts; 0 means no limit. */
  readonly replyLimit: number | null;
}

export const requestEventElement = (message: RequestEvent): Element =>
  branch(
    "oadr:oadrRequestEvent",
    branch(
      "pyld:eiRequestEvent",
      leaf("pyld:requestID", message.requestId),
      leaf("ei:venID", message.venId),
      optionalLeaf("pyld:replyLimit", message.replyLimit),
    ),
  );

export const readRequestEvent = (root: Element): RequestEvent => {
  const request = child(root, "pyld:eiRequestEvent");
  return {
    kind: "requestEvent",
    requestId: optionalText(request, "pyld:requestID") ?? "",
    venId: text(request, "ei:venID"),
    replyLimit: optionalCount(request, "pyld:replyLimit"),
  };
};
