import {
  connectedTo,
  mosquittoWithUsers,
  type Subscriber,
  type TestBroker,
  topicsFor,
  venIdOf,
} from "./mqtt-broker.js";
import { type Client31, runningVtn, type Secret31, type Vtn } from "./openadr-3.js";

export const intervals = (values: readonly number[] = [1]) => [
  { id: 0, payloads: [{ type: "PRICE", values: [...values] }] },
];

export const topicsOf = (heard: readonly { readonly topic: string }[]) =>
  [...new Set(heard.map(({ topic }) => topic))].sort();

let count = 0;
export const name = (what: string) => `${what} ${++count}`;

export let broker: TestBroker;
export let vtn: Vtn;
export let bl: Client31;
export let blHears: Subscriber;
export let ven: Client31 & Secret31;
export let venHears: Subscriber;
export let venId: string;
export let programID: string;

export const prepare = async () => {
  broker = await mosquittoWithUsers({ keepsSessions: true });
  vtn = await runningVtn(broker.settings);
  [bl, ven] = await Promise.all([vtn.bl(), vtn.ven()]);
  venId = await venIdOf(ven);
  programID = (await bl.programs.made({ programName: "Program1" })).id;
  // With a session that the broker keeps: where it was away, the service may be back at it first.
  const kept = { clean: false, clientId: "business-logic" };
  [blHears, venHears] = await Promise.all([connectedTo(broker.url, bl, kept), connectedTo(broker.url, ven)]);
  for (const of of ["programs", "events", "reports", "subscriptions", "vens", "resources"] as const)
    await blHears.subscribe(...(await topicsFor(bl, of)));
  for (const [of, id] of [
    ["programs", undefined],
    ["program", programID],
    ["programEvents", programID],
    ["ven", venId],
    ["venPrograms", venId],
    ["venEvents", venId],
    ["venResources", venId],
  ] as const)
    await venHears.subscribe(...(await topicsFor(ven, of, id)));
};

export const ofVen = (...topics: string[]) => topics.map((topic) => `clients/${ven.id}/${topic}`);
