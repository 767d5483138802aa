import Type from "typebox";
import type { Scope } from "../rules/scopes.js";
import { endpoint, objectEndpoints } from "./endpoint.js";
import { Event, EventRequest } from "./event.js";
import { Notifiers, TopicsReply } from "./notifiers.js";
import { Program, ProgramRequest } from "./program.js";
import { Report, ReportRequest } from "./report.js";
import { Resource, ResourceRequest } from "./resource.js";
import { Subscription, SubscriptionRequest } from "./subscription.js";
import { AuthServer, TokenReply } from "./token.js";
import { ClientName, ObjectId, ObjectTypes, ResourceName, Targets, VenName } from "./values.js";
import { Ven, VenRequest } from "./ven.js";

/** Where the operations are below the address of the VTN. */
export const BASE_PATH = "/openadr3/3.1.0";

const targets = Type.Optional(Targets);
const programID = Type.Optional(ObjectId);
const clientName = Type.Optional(ClientName);

export const programs = objectEndpoints({
  noun: "program",
  tag: "programs",
  ids: {
    search: "searchAllPrograms",
    create: "createProgram",
    get: "searchProgramByProgramId",
    update: "updateProgram",
    remove: "deleteProgram",
  },
  read: "read_targets",
  write: "write_programs",
  filters: { targets },
  body: ProgramRequest,
  reply: Program,
});

export const events = objectEndpoints({
  noun: "event",
  tag: "events",
  ids: {
    search: "searchAllEvents",
    create: "createEvent",
    get: "searchEventsByID",
    update: "updateEvent",
    remove: "deleteEvent",
  },
  read: "read_targets",
  write: "write_events",
  filters: {
    programID,
    targets,
    active: Type.Optional(Type.Boolean({ description: "true: only events that have not ended." })),
  },
  body: EventRequest,
  reply: Event,
});

export const reports = objectEndpoints({
  noun: "report",
  tag: "reports",
  ids: {
    search: "searchAllReports",
    create: "createReport",
    get: "searchReportsByReportID",
    update: "updateReport",
    remove: "deleteReport",
  },
  read: "read_ven_objects",
  write: "write_reports",
  filters: { programID, eventID: Type.Optional(ObjectId), clientName },
  body: ReportRequest,
  reply: Report,
});

export const subscriptions = objectEndpoints({
  noun: "subscription",
  tag: "subscriptions",
  ids: {
    search: "searchSubscriptions",
    create: "createSubscription",
    get: "searchSubscriptionByID",
    update: "updateSubscription",
    remove: "deleteSubscription",
  },
  read: "read_ven_objects",
  write: "write_subscriptions",
  filters: { programID, clientName, objects: Type.Optional(Type.Array(ObjectTypes)) },
  body: SubscriptionRequest,
  reply: Subscription,
});

export const vens = objectEndpoints({
  noun: "ven",
  tag: "vens",
  ids: { search: "searchVens", create: "createVen", get: "searchVenByID", update: "updateVen", remove: "deleteVen" },
  read: "read_ven_objects",
  write: "write_vens",
  filters: { venName: Type.Optional(VenName), targets },
  body: VenRequest,
  reply: Ven,
});

export const resources = objectEndpoints({
  noun: "resource",
  tag: "vens",
  ids: {
    search: "searchVenResources",
    create: "createResource",
    get: "searchVenResourceByID",
    update: "updateVenResource",
    remove: "deleteVenResource",
  },
  read: "read_ven_objects",
  write: "write_vens",
  filters: { resourceName: Type.Optional(ResourceName), venID: Type.Optional(ObjectId), targets },
  body: ResourceRequest,
  reply: Resource,
});

export const auth = {
  server: endpoint({
    tag: "auth",
    path: "/auth/server",
    id: "getAuthServerInfo",
    method: "GET",
    summary: "Returns where tokens are obtained.",
    scope: null,
    reply: AuthServer,
  }),
  /** Its body is a form. */
  token: endpoint({
    tag: "auth",
    path: "/auth/token",
    id: "fetchToken",
    method: "POST",
    summary: "Returns a token for a client's secret.",
    scope: null,
    reply: TokenReply,
  }),
} as const;

export const notifiers = endpoint({
  tag: "notifiers",
  path: "/notifiers",
  id: "listAllNotifiers",
  method: "GET",
  summary: "Lists the ways of being notified.",
  scope: "read_all",
  reply: Notifiers,
});

/** @param of the end of its operationId */
const topicsEndpoint = (of: string, path: string, scope: Scope) =>
  endpoint({
    tag: "notifiers",
    path: `/notifiers/mqtt/topics${path}`,
    id: `listAllMqttNotifierTopics${of}`,
    method: "GET",
    summary: "Returns the MQTT topics of operations.",
    scope,
    params: Type.Object({ id: Type.Optional(ObjectId) }),
    reply: TopicsReply,
  });

export const topics = {
  programs: topicsEndpoint("Programs", "/programs", "read_all"),
  program: topicsEndpoint("Program", "/programs/{id}", "read_all"),
  programEvents: topicsEndpoint("ProgramEvents", "/programs/{id}/events", "read_all"),
  events: topicsEndpoint("Events", "/events", "read_bl"),
  reports: topicsEndpoint("Reports", "/reports", "read_bl"),
  subscriptions: topicsEndpoint("Subscriptions", "/subscriptions", "read_bl"),
  vens: topicsEndpoint("Vens", "/vens", "read_bl"),
  ven: topicsEndpoint("Ven", "/vens/{id}", "read_ven_objects"),
  venPrograms: topicsEndpoint("VenPrograms", "/vens/{id}/programs", "read_ven_objects"),
  venEvents: topicsEndpoint("VenEvents", "/vens/{id}/events", "read_ven_objects"),
  venResources: topicsEndpoint("VenResources", "/vens/{id}/resources", "read_ven_objects"),
  resources: topicsEndpoint("Resources", "/resources", "read_bl"),
} as const;

const ofObjects = [programs, events, reports, subscriptions, vens, resources].flatMap((kind) => Object.values(kind));

/** Every operation of the specification. */
export const endpoints = [...ofObjects, ...Object.values(auth), notifiers, ...Object.values(topics)];
