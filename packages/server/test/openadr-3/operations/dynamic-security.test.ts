import { scopesOf } from "@curtail/openadr-3";
import { expect, test } from "vitest";
import {
  brokerUserOf,
  presentUsers,
  serviceCommands,
  userCommands,
} from "../../../src/openadr-3/operations/dynamic-security.js";
import type { BrokerClient } from "../../../src/openadr-3/operations/publication.js";

const client: BrokerClient = {
  id: "oac_1",
  role: "ven",
  environment: "production",
  scopes: scopesOf.ven,
  tokensFrom: new Date(0),
};
const userWith = (password: string, more: Partial<BrokerClient> = {}) =>
  brokerUserOf({ ...client, ...more }, { passwordOf: () => password, fingerprintOf: (text) => `of ${text}` });
const user = userWith("secret");
const names = (commands: ReturnType<typeof userCommands>) => commands.map(({ command }) => command);

test("a new client becomes a user with a role of its own, for its own topics", () => {
  expect(userCommands(new Map([["oac_1", user]]), new Map())).toEqual([
    { command: "deleteRole", rolename: "curtail-oac_1" },
    {
      command: "createRole",
      rolename: "curtail-oac_1",
      acls: [
        ...["programs", "vens"].flatMap((each) => [
          { acltype: "subscribePattern", topic: `clients/oac_1/${each}/#`, priority: 0, allow: true },
          { acltype: "publishClientReceive", topic: `clients/oac_1/${each}/#`, priority: 1, allow: true },
        ]),
        { acltype: "publishClientReceive", topic: "#", priority: 0, allow: false },
      ],
    },
    {
      command: "createClient",
      username: "oac_1",
      password: "secret",
      textdescription: user.description,
      roles: [{ rolename: "curtail-oac_1", priority: 0 }],
    },
  ]);
});

test("a user that is as it should be is left alone", () => {
  expect(userCommands(new Map([["oac_1", user]]), new Map([["oac_1", user.description]]))).toEqual([]);
});

test("a user with another password or other topics is created anew, which ends its connections", () => {
  for (const other of [userWith("other"), userWith("secret", { scopes: ["read_all"] })])
    expect(names(userCommands(new Map([["oac_1", other]]), new Map([["oac_1", user.description]])))).toEqual([
      "deleteClient",
      "deleteRole",
      "createRole",
      "createClient",
    ]);
});

test("a user whose client is gone is deleted", () => {
  expect(names(userCommands(new Map(), new Map([["oac_1", "any"]])))).toEqual(["deleteClient", "deleteRole"]);
});

test("users of the operator are none of the service's", () => {
  const listed = [{ username: "curtail" }, { username: "grafana" }, { username: "oac_1", textdescription: "d" }];
  expect([...presentUsers(listed)]).toEqual([["oac_1", "d"]]);
});

test("the service gives itself the right to publish, once", () => {
  expect(names(serviceCommands("curtail", [{ username: "curtail", roles: [{ rolename: "admin" }] }]))).toEqual([
    "createRole",
    "addClientRole",
  ]);
  expect(serviceCommands("curtail", [{ username: "curtail", roles: [{ rolename: "curtail-service" }] }])).toEqual([]);
});
