import type { Topics } from "../contract/notifiers.js";
import type { ChangedObject } from "./notification-targets.js";

/** What a topic is about: all objects of a type, one object, or those of one program or ven. */
export type TopicSubject =
  | { readonly of: "programs" | "events" | "reports" | "subscriptions" | "vens" | "resources" }
  | {
      readonly of: "program" | "ven" | "programEvents" | "venPrograms" | "venEvents" | "venResources";
      readonly id: string;
    };

/** Whose topics they are. Both environments are on the same broker. */
export interface TopicPlace {
  readonly environment: "production" | "sandbox";
  /**
   * The client of a VEN, which has topics of its own with what it may see: a broker needs one rule for each, as the user
   * name is the clientID. null: those of business logic, with everything.
   */
  readonly venClientId: string | null;
}

const pathOf = (subject: TopicSubject): string => {
  switch (subject.of) {
    case "program":
      return `programs/${subject.id}`;
    case "ven":
      return `vens/${subject.id}`;
    case "programEvents":
      return `programs/${subject.id}/events`;
    case "venPrograms":
      return `vens/${subject.id}/programs`;
    case "venEvents":
      return `vens/${subject.id}/events`;
    case "venResources":
      return `vens/${subject.id}/resources`;
    default:
      return subject.of;
  }
};

/** The topic that an operation is published to: `programs/create`, `clients/CLIENT/vens/ID/events/update`. */
const topicOf = (
  subject: TopicSubject,
  operation: ChangedObject["operation"],
  { environment, venClientId }: TopicPlace,
): string => {
  return `${rootOf({ environment, venClientId })}${pathOf(subject)}/${operation.toLowerCase()}`;
};

/** What the topics of a client begin with. */
export const rootOf = ({ environment, venClientId }: TopicPlace): string =>
  `${environment === "sandbox" ? "sandbox/" : ""}${venClientId === null ? "" : `clients/${venClientId}/`}`;

const isOne = ({ of }: TopicSubject): boolean => of === "program" || of === "ven";

/** The topics of a subject. One object has no creation: a client knows an object only after that. */
export const topicsOf = (subject: TopicSubject, place: TopicPlace): Topics => {
  const update = topicOf(subject, "UPDATE", place);
  return {
    ...(isOne(subject) ? {} : { CREATE: topicOf(subject, "CREATE", place) }),
    UPDATE: update,
    DELETE: topicOf(subject, "DELETE", place),
    ALL: update.replace(/update$/, "+"),
  };
};

/** A VEN that may see a changed object. */
export interface VenRecipient {
  readonly clientId: string;
  readonly venId: string;
}

/** Topics that a change is published to. */
export interface PublishedTopics {
  /** null: business logic. */
  readonly venClientId: string | null;
  readonly topics: readonly string[];
}

/** The topics of a change: for business logic, and for each VEN that may see it, which it may be sent to differently. */
export const topicsOfChange = (
  change: ChangedObject,
  vens: readonly VenRecipient[],
  environment: TopicPlace["environment"],
): PublishedTopics[] => {
  const publishedTo = (venClientId: string | null, venIds: readonly string[]): PublishedTopics => ({
    venClientId,
    topics: subjectsOf(change, venIds)
      .filter((subject) => (change.operation !== "CREATE" || !isOne(subject)) && isTold(subject, venClientId))
      .map((subject) => topicOf(subject, change.operation, { environment, venClientId })),
  });
  const isKept = (change.keptTargets ?? null) !== null;
  return [
    // Business logic has what is gone for some VENs.
    ...(isKept
      ? []
      : [
          publishedTo(
            null,
            vens.map(({ venId }) => venId),
          ),
        ]),
    ...vens.map(({ clientId, venId }) => publishedTo(clientId, [venId])),
  ];
};

/** Only business logic gets topics of all objects but programs. */
const isTold = (subject: TopicSubject, venClientId: string | null): boolean =>
  venClientId === null || subject.of === "programs" || "id" in subject;

const subjectsOf = (
  { objectType, objectId, programId, venId }: ChangedObject,
  venIds: readonly string[],
): TopicSubject[] => {
  switch (objectType) {
    case "PROGRAM":
      return [
        { of: "programs" },
        { of: "program", id: objectId },
        ...venIds.map((id) => ({ of: "venPrograms", id }) as const),
      ];
    case "EVENT":
      return [
        { of: "events" },
        ...(programId === null ? [] : [{ of: "programEvents", id: programId } as const]),
        ...venIds.map((id) => ({ of: "venEvents", id }) as const),
      ];
    case "REPORT":
      return [{ of: "reports" }];
    case "SUBSCRIPTION":
      return [{ of: "subscriptions" }];
    case "VEN":
      return [{ of: "vens" }, { of: "ven", id: objectId }];
    case "RESOURCE":
      return [{ of: "resources" }, ...(venId === null ? [] : [{ of: "venResources", id: venId } as const])];
  }
};
