import * as contract from "@curtail/contract";
import type { CodeBlock } from "@curtail/docs";
import { Compile } from "typebox/compile";

const isEndpoint = (value: unknown): value is contract.Endpoint =>
  typeof value === "object" && value !== null && "method" in value && "path" in value && "id" in value;

const endpointsOf = (module: object): readonly contract.Endpoint[] => Object.values(module).filter(isEndpoint);
const apis: Readonly<Record<string, readonly contract.Endpoint[]>> = {
  participant: endpointsOf(contract),
  operator: endpointsOf(contract.operator),
  console: endpointsOf(contract.participantConsole),
};

/** Faults of a block of JSON by the schema that its notes name: `request=uploadTelemetry`, `response=… api=operator`. */
export const jsonFaults = ({ notes, text }: CodeBlock): readonly string[] => {
  const { request, response, webhook, api = "participant" } = notes;
  if (webhook !== undefined) return faultsBy(contract.notifications.find(({ name }) => name === webhook)?.body, text);
  const endpoint = apis[api]?.find(({ id }) => id === (request ?? response));
  if (response === "error") return faultsBy(contract.ErrorReply, text);
  if (endpoint === undefined) return ["name the request: request=ID, response=ID, response=error or webhook=EVENT"];
  return faultsBy(request === undefined ? endpoint.reply : endpoint.body, text);
};

const faultsBy = (schema: contract.Endpoint["reply"], text: string): readonly string[] => {
  if (schema === undefined) return ["the contract has no such body"];
  const check = Compile(schema);
  return check.Errors(JSON.parse(text)).map(({ instancePath, message }) => `${instancePath} ${message}`);
};
