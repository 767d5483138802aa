export { MAX_PAGE, type ObjectEndpoints } from "./contract/endpoint.js";
export {
  auth,
  BASE_PATH,
  endpoints,
  events,
  notifiers,
  programs,
  reports,
  resources,
  subscriptions,
  topics,
  vens,
} from "./contract/endpoints.js";
export type { Event, EventRequest } from "./contract/event.js";
export type { Interval, IntervalPeriod } from "./contract/interval.js";
export type { ObjectMetadata } from "./contract/metadata.js";
export { AnyObject, Notification } from "./contract/notification.js";
export type { MqttNotifier, Notifiers, Topics } from "./contract/notifiers.js";
export type {
  EventPayloadDescriptor,
  ReportDescriptor,
  ReportPayloadDescriptor,
} from "./contract/payload-descriptor.js";
export type { Problem } from "./contract/problem.js";
export type { Program, ProgramRequest } from "./contract/program.js";
export type { Report, ReportRequest, ReportResource } from "./contract/report.js";
export type { BlResourceRequest, Resource, ResourceRequest, VenResourceRequest } from "./contract/resource.js";
export type { ObjectOperation, Subscription, SubscriptionRequest } from "./contract/subscription.js";
export type { AuthServer, TokenError, TokenReply } from "./contract/token.js";
export type { ObjectType, Operation } from "./contract/values.js";
export type { ValuesMap } from "./contract/values-map.js";
export type { BlVenRequest, Ven, VenRequest, VenVenRequest } from "./contract/ven.js";
export { type EventInterval, eventIntervals } from "./mapping/event-intervals.js";
export { type Dispatch, type DispatchSite, eventOfDispatch, openPeriodEnd } from "./mapping/event-of-dispatch.js";
export { type MeteredResource, meterAttributes, metersOfResource, type NamedMeter } from "./mapping/meter-names.js";
export { AGGREGATED_REPORT, type Named, uniqueNames } from "./mapping/names.js";
export { type NotifiedObject, notificationBody } from "./mapping/notification-body.js";
export {
  type ChangedObject,
  maySee,
  type Notified,
  notifiedBy,
  type Recipient,
  toldTargets,
} from "./mapping/notification-targets.js";
export { answerOf, type OperatingAnswer } from "./mapping/operating-state.js";
export {
  endedEvent,
  type OwnEvent,
  ownEvent,
  type PayloadReading,
  payloadDescriptor,
  type TimedValue,
} from "./mapping/own-event.js";
export { faultsOfOwnEvent, lacksSafeMode, type OwnEventContext, standingTypesOf } from "./mapping/payload-checks.js";
export { type OwnProgram, programObject, type Retailer } from "./mapping/program-object.js";
export { type ReadForm, readForm } from "./mapping/read-forms.js";
export {
  MAX_CELLS,
  type ReportContext,
  type ReportLoad,
  type ReportReading,
  readingsOfReport,
} from "./mapping/readings-of-report.js";
export { type ReportRequested, reportRequest } from "./mapping/report-request.js";
export { type SimpleLevel, simpleLevelOf } from "./mapping/simple-level.js";
export {
  type PublishedTopics,
  type TopicPlace,
  type TopicSubject,
  topicsOf,
  topicsOfChange,
  type VenRecipient,
} from "./mapping/topics.js";
export { transpiresAt } from "./rules/active.js";
export { callbackFault } from "./rules/callback.js";
export { addDuration, type CalendarDuration, parseDuration } from "./rules/duration.js";
export { allows, grantedScopes, type Role, type Scope, scopes, scopesOf } from "./rules/scopes.js";
export { isVisible, matchedTargets, shownTargets, type Targeted, type VenGrants } from "./rules/targets.js";
export { impossibleTime, isNow, NOW, parseTime, withFullTimes } from "./rules/times.js";
export { allowedTopics, isAllowedTopic } from "./rules/topic-access.js";
