import { describe, expect, test } from "vitest";
import { commandLineSteps, librarySteps } from "../../src/rules/installing.js";

const access = {
  rest_url: "https://dr.example.com/2022-04-15",
  sandbox_url: "https://sandbox.example.com:8443/2022-04-15",
  api_key_header: "X-Service-API-Key",
};
const commandsOf = (...given: Parameters<typeof commandLineSteps>): readonly string[] =>
  commandLineSteps(...given).map(({ text }) => text);

describe("the commands of a page", () => {
  test("download from the service, and log in to the environment of the page", () => {
    expect(commandsOf(access, "sandbox").slice(0, 2)).toEqual([
      "curl -O https://dr.example.com/downloads/curtail.mjs",
      "node curtail.mjs login --url https://sandbox.example.com:8443",
    ]);
    expect(commandsOf(access, "production")[1]).toBe("node curtail.mjs login --url https://dr.example.com");
  });

  test("name the header of the key where the operator changed it", () => {
    const changed = { ...access, api_key_header: "X-Grid-Key" };
    expect(commandsOf(changed, "production")[1]).toContain("--url https://dr.example.com --key-header X-Grid-Key");
  });

  test("install the libraries from the service", () => {
    expect(librarySteps(access).map(({ text }) => text)).toEqual([
      "npm install https://dr.example.com/downloads/curtail-client.tgz https://dr.example.com/downloads/curtail-spool.tgz",
      "npm install https://dr.example.com/downloads/curtail-node-red.tgz",
    ]);
  });
});
