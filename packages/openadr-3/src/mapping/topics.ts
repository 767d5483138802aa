import type { Topics } from "../contract/notifiers.js";
import type { ChangedObject } from "./notification-targets.js";

/** The topics of business logic: every object. */
export const BL_ROOT = "bl";

/** The topics of one VEN: what it may see. A broker needs one rule for it, as the user name is the clientID. */
export const venRoot = (clientId: string): string => `vens/${clientId}`;

/** What a topic is about, below a root. */
export const topicPaths = {
  programs: "programs",
  program: (programId: string) => `programs/${programId}`,
  events: "events",
  eventsOfProgram: (programId: string) => `programs/${programId}/events`,
  reports: "reports",
  subscriptions: "subscriptions",
  vens: "vens",
  ven: (venId: string) => `vens/${venId}`,
  resources: "resources",
} as const;

/** The topics of a path. Of one object there is no creation: it exists. */
export const topicsAt = (root: string, path: string, { ofOne }: { readonly ofOne: boolean }): Topics => {
  const at = `${root}/${path}`;
  return {
    ...(ofOne ? {} : { CREATE: `${at}/create` }),
    UPDATE: `${at}/update`,
    DELETE: `${at}/delete`,
    ALL: `${at}/+`,
  };
};

/**
 * The topics that a change is published to: those of business logic, and of each VEN that may see it.
 *
 * @param clientIds of these VENs
 */
export const topicsOfChange = (change: ChangedObject, clientIds: readonly string[]): string[] => {
  const operation = change.operation.toLowerCase();
  return [BL_ROOT, ...clientIds.map(venRoot)].flatMap((root) =>
    pathsOf(change).map((path) => `${root}/${path}/${operation}`),
  );
};

const pathsOf = ({ objectType, objectId, programId, operation }: ChangedObject): string[] => {
  const ofOne = (path: string): string[] => (operation === "CREATE" ? [] : [path]);
  switch (objectType) {
    case "PROGRAM":
      return [topicPaths.programs, ...ofOne(topicPaths.program(objectId))];
    case "EVENT":
      return [topicPaths.events, ...(programId === null ? [] : [topicPaths.eventsOfProgram(programId)])];
    case "REPORT":
      return [topicPaths.reports];
    case "SUBSCRIPTION":
      return [topicPaths.subscriptions];
    case "VEN":
      return [topicPaths.vens, ...ofOne(topicPaths.ven(objectId))];
    case "RESOURCE":
      return [topicPaths.resources];
  }
};
