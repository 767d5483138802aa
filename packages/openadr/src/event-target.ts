import { branch, childrenOf, type Element, leaf, type QualifiedName } from "./element.js";

/** Which VEN and resources are dispatched: `ei:eiTarget`. */
export interface EventTarget {
  readonly groupIds: readonly string[];
  readonly resourceIds: readonly string[];
  readonly venIds: readonly string[];
  readonly partyIds: readonly string[];
}

export const eventTargetElement = (target: EventTarget): Element =>
  branch(
    "ei:eiTarget",
    ...target.groupIds.map((id) => leaf("ei:groupID", id)),
    ...target.resourceIds.map((id) => leaf("ei:resourceID", id)),
    ...target.venIds.map((id) => leaf("ei:venID", id)),
    ...target.partyIds.map((id) => leaf("ei:partyID", id)),
  );

export const readEventTarget = (parent: Element): EventTarget => ({
  groupIds: idsOf(parent, "ei:groupID"),
  resourceIds: idsOf(parent, "ei:resourceID"),
  venIds: idsOf(parent, "ei:venID"),
  partyIds: idsOf(parent, "ei:partyID"),
});

const idsOf = (parent: Element, name: QualifiedName): string[] =>
  childrenOf(parent, name).map((element) => element.text.trim());
