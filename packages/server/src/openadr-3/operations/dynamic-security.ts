import { allowedTopics } from "@curtail/openadr-3";
import { type BrokerClient, placeOf } from "./publication.js";

/** A command of mosquitto's plug-in for dynamic security. */
export type Command = Readonly<Record<string, unknown>> & { readonly command: string };

/** A user of the broker as the plug-in lists it, with `verbose`. */
export interface ListedUser {
  readonly username: string;
  readonly textdescription?: string;
  readonly roles?: ReadonlyArray<{ readonly rolename: string }>;
}

/** Users of the service's clients; others are the operator's, and left alone. */
const isOurs = ({ username }: ListedUser): boolean => username.startsWith("oac_");

const roleOf = (username: string): string => `curtail-${username}`;

/** What the service's own user may do in addition to administering the plug-in. */
const SERVICE_ROLE = "curtail-service";

/** What the plug-in answers to `getDefaultACLAccess`. */
export interface DefaultAccess {
  readonly acls?: ReadonlyArray<{ readonly acltype: string; readonly allow: boolean }>;
}

/** Whether a user may receive what no role allows it to, as mosquitto sets the plug-in up. */
export const receivesByDefault = ({ acls = [] }: DefaultAccess): boolean =>
  acls.some(({ acltype, allow }) => acltype === "publishClientReceive" && allow);

/** Commands that let the service publish. */
export const serviceCommands = (username: string, users: readonly ListedUser[]): Command[] => {
  const own = users.find((user) => user.username === username);
  // Adding a role ends the connections of its user.
  if (own?.roles?.some(({ rolename }) => rolename === SERVICE_ROLE) === true) return [];
  const acls = [{ acltype: "publishClientSend", topic: "#", priority: 0, allow: true }];
  return [
    { command: "createRole", rolename: SERVICE_ROLE, acls },
    { command: "addClientRole", username, rolename: SERVICE_ROLE, priority: 0 },
  ];
};

/** Commands that make the users of the broker those of the clients. A user that changes is created again, which disconnects it. */
export const userCommands = (
  wanted: ReadonlyMap<string, BrokerUser>,
  /** Descriptions by user name. */
  present: ReadonlyMap<string, string>,
): Command[] => {
  const gone = [...present.keys()].filter((username) => !wanted.has(username));
  const changed = [...wanted.values()].filter((user) => present.get(user.username) !== user.description);
  return [
    ...gone.flatMap(removal),
    ...changed.flatMap((user) => [
      ...(present.has(user.username) ? [{ command: "deleteClient", username: user.username }] : []),
      ...creation(user),
    ]),
  ];
};

/** Descriptions of the users that are the service's. */
export const presentUsers = (users: readonly ListedUser[]): Map<string, string> =>
  new Map(users.filter(isOurs).map(({ username, textdescription }) => [username, textdescription ?? ""]));

/** A client as a user of the broker. */
export interface BrokerUser {
  readonly username: string;
  readonly password: string;
  readonly topics: readonly string[];
  /** Tells what it was created with: the broker does not return its password. */
  readonly description: string;
}

/** What users are made with. */
export interface UserSecrets {
  readonly passwordOf: (client: BrokerClient) => string;
  /** A short text that differs if the given one does, and does not reveal it. */
  readonly fingerprintOf: (text: string) => string;
}

export const brokerUserOf = (client: BrokerClient, { passwordOf, fingerprintOf }: UserSecrets): BrokerUser => {
  const user = {
    username: client.id,
    password: passwordOf(client),
    topics: allowedTopics(placeOf(client), client.scopes),
  };
  return { ...user, description: `Curtail ${fingerprintOf(JSON.stringify({ ...user, acls: aclsOf(user.topics) }))}` };
};

const removal = (username: string): Command[] => [
  { command: "deleteClient", username },
  { command: "deleteRole", rolename: roleOf(username) },
];

/**
 * A client subscribes to its own topics, and receives nothing else: neither by a session that it took over from another
 * user, nor by a subscription from the time when its rights were wider.
 */
const aclsOf = (topics: readonly string[]): object[] => [
  ...topics.flatMap((topic) => [
    { acltype: "subscribePattern", topic, priority: 0, allow: true },
    { acltype: "publishClientReceive", topic, priority: 1, allow: true },
  ]),
  { acltype: "publishClientReceive", topic: "#", priority: 0, allow: false },
];

const creation = ({ username, password, topics, description }: BrokerUser): Command[] => [
  // A crash in between may have left one.
  { command: "deleteRole", rolename: roleOf(username) },
  { command: "createRole", rolename: roleOf(username), acls: aclsOf(topics) },
  {
    command: "createClient",
    username,
    password,
    textdescription: description,
    roles: [{ rolename: roleOf(username), priority: 0 }],
  },
];
