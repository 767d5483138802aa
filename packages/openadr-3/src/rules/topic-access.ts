import { rootOf, type TopicPlace } from "../mapping/topics.js";
import type { Scope } from "./scopes.js";

/** Collections of objects; those of VENs and business logic have the same first levels below their root. */
const COLLECTIONS = ["events", "programs", "reports", "resources", "subscriptions", "vens"] as const;

/**
 * The topics that a client may subscribe to, as MQTT filters that end with `/#`: those that the REST interface would
 * return to it. A VEN's are below a root of its own, where only what it may see is published.
 */
export const allowedTopics = (place: TopicPlace, scopes: readonly Scope[]): readonly string[] => {
  const root = rootOf(place);
  if (place.venClientId === null && scopes.includes("read_bl")) return COLLECTIONS.map((each) => `${root}${each}/#`);
  const programs = scopes.includes("read_all") ? [`${root}programs/#`] : [];
  const vens = place.venClientId !== null && scopes.includes("read_ven_objects") ? [`${root}vens/#`] : [];
  return [...programs, ...vens];
};

/** Whether everything that a filter of a subscription matches is allowed. */
export const isAllowedTopic = (filter: string, allowed: readonly string[]): boolean =>
  allowed.some((each) => {
    const root = each.slice(0, -"/#".length);
    return filter === root || filter.startsWith(`${root}/`);
  });
