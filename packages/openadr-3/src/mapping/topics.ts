import type { Topics } from "../contract/notifiers.js";
import type { Operation } from "../contract/values.js";

/** What a topic is about: all objects of a type, one object, or those of one program or ven. */
export type TopicSubject =
  | { readonly of: "programs" | "events" | "reports" | "subscriptions" | "vens" | "resources" }
  | {
      readonly of: "program" | "ven" | "programEvents" | "venPrograms" | "venEvents" | "venResources";
      readonly id: string;
    };

/** Topics of both environments are on the same broker. */
export interface TopicPlace {
  readonly environment: "production" | "sandbox";
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

type Told = Exclude<Operation, "READ">;

/** The topic that an operation is published to: `programs/create`, `vens/ID/events/update`. */
export const topicOf = (subject: TopicSubject, operation: Told, { environment }: TopicPlace): string =>
  `${environment === "sandbox" ? "sandbox/" : ""}${pathOf(subject)}/${operation.toLowerCase()}`;

/** The topics of a subject. One object has no creation: whoever knows it, knows it after that. */
export const topicsOf = (subject: TopicSubject, place: TopicPlace): Topics => {
  const isOne = subject.of === "program" || subject.of === "ven";
  const update = topicOf(subject, "UPDATE", place);
  return {
    ...(isOne ? {} : { CREATE: topicOf(subject, "CREATE", place) }),
    UPDATE: update,
    DELETE: topicOf(subject, "DELETE", place),
    ALL: update.replace(/update$/, "+"),
  };
};
