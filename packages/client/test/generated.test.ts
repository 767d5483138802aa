import { readFileSync } from "node:fs";
import type * as contract from "@curtail/contract";
import { expect, expectTypeOf, test } from "vitest";
import { clientSources } from "../../../scripts/write-client.mjs";
import type { ParticipantOperations } from "../src/participant-operations.js";

test.for(Object.entries(clientSources()))(
  "%s is made from the current OpenAPI documents: run `npm run openapi` after changing the contract",
  ([name, text]) => {
    expect(readFileSync(new URL(`../src/${name}`, import.meta.url), "utf8")).toBe(text);
  },
);

/** As the client has it: nothing that it returns may be changed. */
type Fixed<T> =
  T extends ReadonlyArray<infer Item>
    ? ReadonlyArray<Fixed<Item>>
    : T extends object
      ? { readonly [Name in keyof T]: Fixed<T[Name]> }
      : T;
type Reply<Id extends keyof ParticipantOperations> = Fixed<Awaited<ReturnType<ParticipantOperations[Id]>>>;
type Input<Id extends keyof ParticipantOperations> = Fixed<NonNullable<Parameters<ParticipantOperations[Id]>[0]>>;

test("replies have the types of the contract", () => {
  expectTypeOf<Reply<"listDispatches">>().toEqualTypeOf<Fixed<contract.ReplyOf<typeof contract.listDispatches>>>();
  expectTypeOf<Reply<"getDispatch">>().toEqualTypeOf<Fixed<contract.ReplyOf<typeof contract.getDispatch>>>();
  expectTypeOf<Reply<"listSites">>().toEqualTypeOf<Fixed<contract.ReplyOf<typeof contract.listSites>>>();
  expectTypeOf<Reply<"readTelemetry">>().toEqualTypeOf<Fixed<contract.ReplyOf<typeof contract.readTelemetry>>>();
  expectTypeOf<Reply<"deleteWebhook">>().toEqualTypeOf<Fixed<contract.ReplyOf<typeof contract.deleteWebhook>>>();
  expectTypeOf<Reply<"getStatement">>().toEqualTypeOf<Fixed<contract.ReplyOf<typeof contract.getStatement>>>();
  expectTypeOf<Reply<"createScenario">>().toEqualTypeOf<Fixed<contract.ReplyOf<typeof contract.createScenario>>>();
  expectTypeOf<Reply<"downloadDispatchTable">>().toEqualTypeOf<Fixed<Response>>();
});

test("inputs have the types of the contract", () => {
  expectTypeOf<Input<"getDispatch">>().toEqualTypeOf<Fixed<contract.ParamsOf<typeof contract.getDispatch>>>();
  expectTypeOf<Input<"uploadTelemetry">>().toEqualTypeOf<Fixed<contract.BodyOf<typeof contract.uploadTelemetry>>>();
  expectTypeOf<Input<"readTelemetry">>().toEqualTypeOf<Fixed<contract.QueryOf<typeof contract.readTelemetry>>>();
  expectTypeOf<Input<"createWebhook">>().toEqualTypeOf<Fixed<contract.BodyOf<typeof contract.createWebhook>>>();
});
