import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { environmentOf, faultsOfContainerfile, listIn, parseContainerfile, textsOf } from "./support/containerfile.js";

// The steps themselves are run in container.long.test.ts.
const root = fileURLToPath(new URL("../../", import.meta.url));
const read = (name: string): string => readFileSync(join(root, name), "utf8");
const file = read("Containerfile");
const isThere = (path: string): boolean => existsSync(join(root, path));
const faultsWith = (from: string | RegExp, to: string): readonly string[] =>
  faultsOfContainerfile(file.replace(from, to), isThere);

test("the Containerfile pins its images, runs as nobody of importance, checks its health, and has no secrets", () => {
  expect(faultsOfContainerfile(file, isThere)).toEqual([]);
});

test.for([
  ["an image that moves", "node:20.20.2-bookworm-slim", "node:20-slim", /not pinned/],
  ["the user root", "USER 1000:1000", "USER root", /runs as root/],
  ["no user", /^USER.*$/m, "", /runs as root/],
  ["a health check of curl", /^\s+CMD \["node", "-e".*$/m, "  CMD curl localhost:9464/healthz", /HEALTHCHECK/],
  ["a file of the network", "COPY . .", "ADD https://example.com/a.tgz .", /use COPY/],
  ["a file that is not there", "COPY packages packages", "COPY packs packages", /no packs to copy/],
  ["a stage that is not there", "--from=dependencies", "--from=deps", /no stage deps/],
  ["a token", "ENV NODE_ENV=production", "ENV CURTAIL_OPERATOR_TOKEN=abc NODE_ENV=production", /no secrets/],
] as const)("%s is found in it", ([, from, to, fault]) => {
  const faults = faultsWith(from, to);
  expect(faults).toEqual([expect.stringMatching(fault)]);
});

test("it uses a version of Node.js that the packages allow, and starts the command of the service", () => {
  const { stages } = parseContainerfile(file);
  const [, version = ""] = /node:(\d+\.\d+)\./.exec(stages[0]?.image ?? "") ?? [];
  const [, least = ""] = />=(\d+\.\d+)/.exec(JSON.parse(read("package.json")).engines.node) ?? [];
  expect(version.localeCompare(least, "en", { numeric: true })).toBeGreaterThanOrEqual(0);
  const [program, script = "", ...words] = listIn(textsOf(stages.at(-1), "CMD").at(-1) ?? "") ?? [];
  expect([program, isThere(script), words]).toEqual(["node", true, ["serve"]]);
});

test("what is not to be in a layer is not in the context", () => {
  const ignored = read(".dockerignore").split("\n");
  expect(ignored).toEqual(expect.arrayContaining([".git", ".env*", "**/*.env", "**/*.key", "**/*.backup", "data"]));
  // Each checkout may have them; the build makes its own.
  expect(ignored).toEqual(expect.arrayContaining(["**/node_modules", "**/dist"]));
});

interface ComposeService {
  readonly image: string;
  readonly build?: { readonly context: string; readonly dockerfile: string };
  readonly environment?: Readonly<Record<string, string>>;
  readonly read_only?: boolean;
  readonly tmpfs?: readonly string[];
  readonly volumes: readonly string[];
  readonly ports?: readonly string[];
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
}

describe("the example of compose", () => {
  const { services, volumes } = parse(read("examples/container/compose.yaml")) as {
    services: Record<"curtail" | "database", ComposeService>;
    volumes: Record<string, null>;
  };

  test("builds the Containerfile, and leaves the service a volume and /tmp to write", () => {
    const { build, read_only, tmpfs, volumes: mounted, cap_drop, security_opt } = services.curtail;
    expect(existsSync(join(root, "examples/container", build?.context ?? "", build?.dockerfile ?? ""))).toBe(true);
    expect({ read_only, cap_drop, security_opt }).toEqual({
      read_only: true,
      cap_drop: ["ALL"],
      security_opt: ["no-new-privileges:true"],
    });
    expect(tmpfs?.map((each) => each.split(":")[0])).toEqual(["/tmp"]);
    const places = mounted.map((each) => each.split(":"));
    expect(places.map(([, place]) => place)).toEqual([
      environmentOf(parseContainerfile(file).stages.at(-1))["CURTAIL_DATA_DIR"],
    ]);
    for (const [name = ""] of places) expect(Object.keys(volumes)).toContain(name);
  });

  test("publishes ports of the image only, and all but that of VENs on this machine alone", () => {
    const exposed = textsOf(parseContainerfile(file).stages.at(-1), "EXPOSE").join(" ").split(" ");
    for (const each of services.curtail.ports ?? []) {
      const parts = each.split(":");
      expect(exposed).toContain(parts.at(-1));
      expect(parts.length === 3 ? parts[0] : parts.at(-1)).toBe(parts.length === 3 ? "127.0.0.1" : "8443");
    }
  });

  test("has no secret in it", () => {
    expect(services.curtail.environment).toBeUndefined();
    expect(Object.keys(services.database.environment ?? {})).toContain("POSTGRES_PASSWORD_FILE");
    expect(Object.keys(services.database.environment ?? {})).not.toContain("POSTGRES_PASSWORD");
  });
});
