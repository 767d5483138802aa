import fc from "fast-check";
import { expect, test } from "vitest";
import { discoveryOf } from "../../../src/openadr-3/domain/discovery.js";

const vtn = {
  hostname: "Gateway 7.example.com",
  basePath: "openadr3/3.1.0",
  port: 8090,
  scheme: "https",
  publicUrl: null,
  programNames: ["Summer", "Winter"],
} as const;

// OpenADR 3.1, Definition, "Discovery and Configuration of Local VTNs".
test("a VTN on site is announced as the specification words it", () => {
  expect(discoveryOf(vtn)).toEqual({
    type: "_openadr3._tcp",
    instance: "Curtail on gateway-7, port 8090",
    host: "curtail-gateway-7-8090",
    port: 8090,
    txt: {
      version: "3.1.0",
      base_path: "openadr3/3.1.0",
      local_url: "https://curtail-gateway-7-8090.local:8090/openadr3/3.1.0",
      program_names: "Summer,Winter",
      requires_auth: "True",
    },
  });
});

test("its public address, which its certificate has, comes before that of the name that is announced", () => {
  const { txt } = discoveryOf({ ...vtn, publicUrl: "https://vtn.example.com" });
  expect(txt["local_url"]).toBe("https://vtn.example.com/openadr3/3.1.0");
});

test("whatever machine and programs are called, names and texts are as long as DNS allows, and no name is cut", () => {
  fc.assert(
    fc.property(fc.string(), fc.array(fc.string({ minLength: 1, unit: "grapheme" })), (hostname, programNames) => {
      const { host, instance, txt } = discoveryOf({ ...vtn, hostname, programNames });
      // A label of a host name (RFC 1123), and not the machine's own.
      expect(host).toMatch(/^curtail-[a-z0-9]([a-z0-9-]*[a-z0-9])?-8090$/);
      expect(host.length).toBeLessThanOrEqual(63);
      expect(Buffer.byteLength(instance)).toBeLessThanOrEqual(63);
      for (const [name, value] of Object.entries(txt))
        expect(Buffer.byteLength(`${name}=${value}`)).toBeLessThanOrEqual(255);
      for (const name of (txt["program_names"] ?? "").split(",").filter((each) => each !== ""))
        expect(programNames).toContain(name);
    }),
  );
});
