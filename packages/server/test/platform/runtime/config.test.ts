import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { type Config, readConfig, type Variables, warningsOf } from "../../../src/platform/runtime/config.js";
import type { About } from "../../../src/platform/runtime/setting-types.js";
import { settings } from "../../../src/platform/runtime/settings.js";

const document = readFileSync(new URL("../../../../../docs/configuration.md", import.meta.url), "utf8");

const configOf = (environment: Variables): Config => {
  const read = readConfig(environment);
  if ("faults" in read) throw new Error(read.faults.join("\n"));
  return read.config;
};

const faultsOf = (environment: Variables): string[] => {
  const read = readConfig(environment);
  return "faults" in read ? read.faults : [];
};

/** What the table says of a default. */
const defaultCell = (about: About<unknown>): string => {
  if ("unset" in about) return about.unset;
  const text = String(about.default);
  return text === "" ? "empty" : `\`${text}\``;
};

const ofProvider = {
  CURTAIL_OIDC_ISSUER: "https://id.example.com/realm/",
  CURTAIL_OIDC_CLIENT_ID: "curtail",
  CURTAIL_OIDC_CLIENT_SECRET: "s3cret",
};

describe("the settings", () => {
  test("are all documented, and no others", () => {
    const documented = [...document.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name);
    expect(new Set(documented).size).toBe(documented.length);
    const read = new Set<string>();
    readConfig(new Proxy<Variables>({}, { get: (_, name) => void read.add(String(name)) }));
    expect(new Set(documented)).toEqual(read);
  });

  test("are documented with their defaults and descriptions", () => {
    const rows = [...document.matchAll(/^\| `(\w+)` *\| (.+?) *\| (.+?) *\|$/gm)].map(([, ...cells]) => cells);
    const expected = Object.values<object>(settings.properties).map((schema) => {
      const about = schema as About<unknown>;
      return [about.variable, defaultCell(about), about.description];
    });
    expect(rows).toEqual(expected);
  });

  test("all have a default that serves one machine, and none for a secret", () => {
    expect(configOf({})).toMatchObject({
      host: "127.0.0.1",
      port: 8080,
      databaseUrl: null,
      operatorToken: null,
      publicUrl: null,
      smtpUrl: null,
      apiKeyHeader: "X-Service-API-Key",
      roles: ["api", "worker", "vtn"],
      rateLimitDispatches: 300,
      rateLimit: 1200,
      maxBodyBytes: 10_485_760,
      maxReadings: 50_000,
    });
  });

  test("take tiles of a map by the form of their address", () => {
    const tiles = "https://tiles.example.com/v1/{z}/{x}/{y}@2x.png?key=a-b";
    expect(configOf({ CURTAIL_MAP_TILES: tiles, CURTAIL_MAP_ATTRIBUTION: "© Example" })).toMatchObject({
      mapTiles: tiles,
      mapAttribution: "© Example",
    });
    expect(configOf({ CURTAIL_MAP_TILES: "http://10.0.0.7:8081/{z}/{y}/{x}" }).mapAttribution).toBeNull();
    const faulty = [
      "https://tiles.example.com/{z}/{x}.png",
      "https://{s}.tiles.example.com/{z}/{x}/{y}.png",
      "https://{z}.example.com/{z}/{x}/{y}.png",
      "https://tiles.example.com/{z}/{x}/{y}{r}.png",
      "ftp://tiles.example.com/{z}/{x}/{y}.png",
      "https://tiles.example.com/{z}/{x}/{y}.png; script-src *",
      "/{z}/{x}/{y}.png",
    ];
    for (const each of faulty)
      expect(faultsOf({ CURTAIL_MAP_TILES: each }), each).toEqual([
        expect.stringMatching(
          /^CURTAIL_MAP_TILES must be an address of tiles .* such as https:\/\/tiles\.example\.com/,
        ),
      ]);
    expect(faultsOf({ CURTAIL_MAP_ATTRIBUTION: "© Example" })).toEqual([
      expect.stringMatching(/^CURTAIL_MAP_TILES must be set if/),
    ]);
  });

  test("are read as what they mean", () => {
    const config = configOf({
      CURTAIL_PORT: "0",
      CURTAIL_WEBHOOK_ALLOW_HTTP: "true",
      CURTAIL_WEBHOOK_ALLOWED_NETWORKS: "10.0.0.0/8, fd00::/8",
      CURTAIL_ROLES: "vtn,api",
      CURTAIL_OPENADR_HOSTNAMES: "vtn.example.com, 10.0.0.1,::1",
      DATABASE_URL: "postgres://curtail@db.internal/curtail",
      CURTAIL_PUBLIC_URL: "https://dr.example.com/",
      CURTAIL_API_KEY_HEADER: "X-Brand-API-Key",
      CURTAIL_RATE_LIMIT: "5",
    });
    expect(config).toMatchObject({
      port: 0,
      webhookAllowHttp: true,
      webhookAllowedNetworks: ["10.0.0.0/8", "fd00::/8"],
      roles: ["api", "vtn"],
      openadrHostnames: ["vtn.example.com", "10.0.0.1", "::1"],
      publicUrl: "https://dr.example.com",
      apiKeyHeader: "X-Brand-API-Key",
      rateLimit: 5,
    });
  });

  test("may hold several encryption keys, and only whole ones", () => {
    const [first, second] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)].map((key) => key.toString("base64"));
    expect(configOf({ CURTAIL_SECRETS_KEY: `${first}, ${second}` }).secretsKeys).toEqual([
      Buffer.alloc(32, 1),
      Buffer.alloc(32, 2),
    ]);
    for (const wrong of ["", "key", `${first},short`, Buffer.alloc(31).toString("base64"), `${first}=`])
      expect(faultsOf({ CURTAIL_SECRETS_KEY: wrong })).toEqual([
        "CURTAIL_SECRETS_KEY must be 32 bytes in base64, or several such keys separated by commas",
      ]);
  });

  test("of OpenTelemetry are read as its own tools read them", () => {
    const config = configOf({
      OTEL_EXPORTER_OTLP_ENDPOINT: "https://otlp.example.com/",
      OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20a=b, x-tenant=north%2Ceast",
      OTEL_TRACES_SAMPLER_ARG: "0.25",
      OTEL_METRICS_EXPORTER: "none",
    });
    expect(config).toMatchObject({
      otlpEndpoint: "https://otlp.example.com",
      otlpHeaders: { authorization: "Bearer a=b", "x-tenant": "north,east" },
      otelTraceShare: 0.25,
      otelMetrics: "none",
      otelTraces: "otlp",
    });
    for (const headers of ["secret-of-headers", "a b=c", "name=", "name=%", "name=a%0Ab", "name=ü"]) {
      const faults = faultsOf({ OTEL_EXPORTER_OTLP_HEADERS: headers });
      expect(faults, headers).toEqual([
        "OTEL_EXPORTER_OTLP_HEADERS must name headers as name=value, separated by commas",
      ]);
    }
    for (const share of ["1.5", "-1", "half", "", "."])
      expect(faultsOf({ OTEL_TRACES_SAMPLER_ARG: share }), share).toEqual([
        "OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1",
      ]);
    expect(configOf({}).otlpEndpoint).toBeNull();
  });

  test("may end daily backups, which needs no recipient", () => {
    expect(configOf({ CURTAIL_BACKUP_DIRECTORY: "off" }).backupDirectory).toBe("off");
    expect(faultsOf({ CURTAIL_BACKUP_DIRECTORY: "./off" })).toEqual([
      expect.stringContaining("CURTAIL_BACKUP_RECIPIENTS"),
    ]);
  });

  test("raise a doubt where the public address is https and no proxy is named", () => {
    const https = { CURTAIL_PUBLIC_URL: "https://dr.example.com" };
    expect(warningsOf(configOf(https))).toEqual([expect.stringMatching(/CURTAIL_TRUSTED_PROXIES names no proxy/)]);
    expect(warningsOf(configOf({ ...https, CURTAIL_TRUSTED_PROXIES: "10.0.0.0/8" }))).toEqual([]);
    expect(warningsOf(configOf({ CURTAIL_PUBLIC_URL: "http://dr.example.com" }))).toEqual([]);
    expect(warningsOf(configOf({}))).toEqual([]);
  });

  test("raise a doubt about a colour like that of alarms", () => {
    const [red, blue] = ["#d32f2f", "#1d4ed8"].map((colour) => warningsOf(configOf({ CURTAIL_BRAND_COLOUR: colour })));
    expect(red).toEqual([expect.stringMatching(/^CURTAIL_BRAND_COLOUR is close to the red and amber/)]);
    expect(blue).toEqual([]);
  });

  test("of a brand are taken in any script, trimmed", () => {
    const config = configOf({
      CURTAIL_BRAND_NAME: " طاقة ⚡ 👩‍🔧 ",
      CURTAIL_BRAND_LINKS: " Imprint = https://a.example/x?b=c ; Datenschutz=https://b.example;",
    });
    expect(config.brandName).toBe("طاقة ⚡ 👩‍🔧");
    expect(config.brandLinks).toEqual([
      { label: "Imprint", url: "https://a.example/x?b=c" },
      { label: "Datenschutz", url: "https://b.example/" },
    ]);
    expect(configOf({ CURTAIL_BRAND_NAME: "N".repeat(40) }).brandName).toHaveLength(40);
    expect(configOf({ CURTAIL_BRAND_NAME: "👩‍🔧".repeat(40) }).brandName).toMatch(/^👩/u);
    expect(configOf({ CURTAIL_BRAND_FOOTER: "F".repeat(400) }).brandFooter).toHaveLength(400);
  });

  test("leave names of other programs alone", () => {
    expect(faultsOf({ PATH: "/bin", NODE_ENV: "production", CURTAILMENT: "x" })).toEqual([]);
  });
});

describe("a wrong setting", () => {
  test.each([
    ["CURTAIL_BRAND_NAME", ["", "  ", "N".repeat(41), `e${"\u0301".repeat(1000)}`, "a\nb", "a\u202eb", "a\u0000b"]],
    ["CURTAIL_BRAND_FOOTER", ["F".repeat(401), "a\r\nBcc: x", "\u2067x"]],
    ["CURTAIL_BRAND_COLOUR", ["red", "#12", "#1d4ed8;}", "#808080", "#000000", "#ffffff", "#zzzzzz"]],
    [
      "CURTAIL_BRAND_LINKS",
      [
        "",
        "Imprint",
        "Imprint=http://a.example",
        "Imprint=javascript:alert(1)",
        "=https://a.example",
        "A=https://a.example;B",
        `${"L".repeat(61)}=https://a.example`,
        Array.from({ length: 9 }, (_, at) => `L${at}=https://a.example`).join(";"),
      ],
    ],
  ])("%s is refused", (variable, values) => {
    for (const value of values)
      expect(faultsOf({ [variable]: value }), value).toEqual([expect.stringMatching(`^${variable} must `)]);
  });

  test("is named with what it must be; all of them at once", () => {
    const faults = faultsOf({
      CURTAIL_PORT: "99999",
      CURTAIL_SANDBOX_PORT: "http",
      CURTAIL_LOG_LEVEL: "loud",
      CURTAIL_WEBHOOK_ALLOW_HTTP: "yes",
      CURTAIL_WEBHOOK_ALLOWED_NETWORKS: "10.0.0.0/8,intranet",
      CURTAIL_ROLES: "api,mailer",
      CURTAIL_API_KEY_HEADER: "X Brand",
      CURTAIL_MAX_READINGS: "0",
      CURTAIL_HOST: " ",
      CURTAIL_PUBLIC_URL: "dr.example.com",
      CURTAIL_SMTP_URL: "https://mail.example.com",
      CURTAIL_PORTS: "8080",
    });
    expect(new Set(faults.map((fault) => fault.split(" ")[0]))).toEqual(
      new Set([
        "CURTAIL_API_KEY_HEADER",
        "CURTAIL_HOST",
        "CURTAIL_LOG_LEVEL",
        "CURTAIL_MAX_READINGS",
        "CURTAIL_PORT",
        "CURTAIL_PORTS",
        "CURTAIL_PUBLIC_URL",
        "CURTAIL_ROLES",
        "CURTAIL_SANDBOX_PORT",
        "CURTAIL_SMTP_URL",
        "CURTAIL_WEBHOOK_ALLOWED_NETWORKS",
        "CURTAIL_WEBHOOK_ALLOW_HTTP",
      ]),
    );
    expect(faults).toContain("CURTAIL_PORT must be a whole number from 0 to 65535");
    expect(faults).toContain("CURTAIL_LOG_LEVEL must be one of debug, info, warn, error");
  });

  test.each(["", "-1", "1.5", "1e3", "0x10", " 8080", "8080 ", "65536", "eight"])("is a port of %j", (text) => {
    expect(faultsOf({ CURTAIL_PORT: text })).toEqual(["CURTAIL_PORT must be a whole number from 0 to 65535"]);
  });

  test.each(["https://vtn.example.com", "vtn.example.com:8443", "a b", "_", "vtn.example.com,-"])(
    "is a host name that is none: %s",
    (names) => {
      const [fault] = faultsOf({ CURTAIL_OPENADR_HOSTNAMES: names });
      expect(fault).toMatch(/^CURTAIL_OPENADR_HOSTNAMES holds ".+", which is not a host name or address$/);
    },
  );

  test("is one port for production and the sandbox, unless any free one is taken", () => {
    expect(faultsOf({ CURTAIL_PORT: "8081" })).toEqual([
      expect.stringMatching(/^CURTAIL_SANDBOX_PORT must differ from/),
    ]);
    expect(configOf({ CURTAIL_PORT: "0", CURTAIL_SANDBOX_PORT: "0" }).sandboxPort).toBe(0);
  });

  test("is a name beginning with CURTAIL_ that no setting has", () => {
    expect(faultsOf({ CURTAIL_API_KEY_HEADERS: "X-Key" })).toEqual([
      "CURTAIL_API_KEY_HEADERS is not a known setting; see docs/configuration.md",
    ]);
  });

  test("take days, or that there are none", () => {
    for (const [text, read] of [
      ["7", 7],
      ["36500", 36_500],
      ["off", "off"],
    ] as const)
      expect(configOf({ CURTAIL_PACK_AFTER: text }).packAfter).toBe(read);
    for (const text of ["0", "36501", "1.5", "never", ""])
      expect(faultsOf({ CURTAIL_PACK_AFTER: text })).toEqual([expect.stringMatching(/PACK_AFTER.*1 to 36500, or off/)]);
  });

  test("takes the settings of single sign-on together or not at all, the issuer as it is written", () => {
    const read = readConfig(ofProvider);
    expect("config" in read && read.config.oidc).toEqual({
      issuer: "https://id.example.com/realm/",
      clientId: "curtail",
      clientSecret: "s3cret",
      emailTrust: "verified",
    });
    for (const name of Object.keys(ofProvider))
      expect(faultsOf({ ...ofProvider, [name]: undefined })).toEqual([expect.stringMatching(/must be set together$/)]);
  });

  test.each([
    ["true", "all"],
    ["false", "verified"],
    ["xms_edov", { claim: "xms_edov" }],
  ])("trusts emails of the provider as CURTAIL_OIDC_TRUST_EMAIL=%s says", (setting, emailTrust) => {
    expect(configOf({ ...ofProvider, CURTAIL_OIDC_TRUST_EMAIL: setting }).oidc).toMatchObject({ emailTrust });
  });

  test("refuses trust in emails without a provider, or by a provider of all tenants", () => {
    expect(faultsOf({ CURTAIL_OIDC_TRUST_EMAIL: "true" })).toEqual([
      "CURTAIL_OIDC_ISSUER must be set if CURTAIL_OIDC_TRUST_EMAIL is set",
    ]);
    const common = { ...ofProvider, CURTAIL_OIDC_ISSUER: "https://login.microsoftonline.com/common/v2.0" };
    expect(faultsOf({ ...common, CURTAIL_OIDC_TRUST_EMAIL: "true" })).toEqual([
      expect.stringMatching(/^CURTAIL_OIDC_TRUST_EMAIL must not be true with an issuer of all tenants/),
    ]);
    expect(configOf({ ...common, CURTAIL_OIDC_TRUST_EMAIL: "xms_edov" }).oidc).not.toBeNull();
  });

  test.each([
    ["http://id.example.com", false],
    ["http://127.0.0.1:9000", true],
    ["http://localhost:9000", true],
    ["http://[::1]:9000", true],
    ["ftp://id.example.com", false],
    ["id.example.com", false],
  ])("asks the issuer %s over a safe way only: %s", (issuer, isTaken) => {
    const rest = { CURTAIL_OIDC_CLIENT_ID: "curtail", CURTAIL_OIDC_CLIENT_SECRET: "s3cret" };
    expect("config" in readConfig({ ...rest, CURTAIL_OIDC_ISSUER: issuer })).toBe(isTaken);
  });

  test("never shows the value of a secret", () => {
    const secrets = {
      CURTAIL_OPERATOR_TOKEN: "s3cret-short",
      DATABASE_URL: "mysql://curtail:s3cret-database@db/curtail",
      CURTAIL_SMTP_URL: "imap://curtail:s3cret-mail@mail",
      CURTAIL_SANDBOX_PUBLIC_KEY: " ",
      CURTAIL_OPERATOR_TOKENS: "s3cret-misspelt",
    };
    const faults = faultsOf(secrets);
    expect(faults).toHaveLength(5);
    expect(faults.join("\n")).not.toContain("s3cret");
  });

  test("is an operator token that is short or has spaces", () => {
    expect(faultsOf({ CURTAIL_OPERATOR_TOKEN: "fifteen-letters" })).toHaveLength(1);
    expect(faultsOf({ CURTAIL_OPERATOR_TOKEN: "sixteen letters!" })).toHaveLength(1);
    expect(configOf({ CURTAIL_OPERATOR_TOKEN: "sixteen-letters!" }).operatorToken).toBe("sixteen-letters!");
  });
});

describe("settings that do not go together", () => {
  test.each(["0.0.0.0", "::", "0:0:0:0:0:0:0:0"])(
    "the host %s needs a public address, for links that people open",
    (host) => {
      const [fault, ...others] = faultsOf({ CURTAIL_HOST: host });
      expect(fault).toMatch(/^CURTAIL_PUBLIC_URL must be set, because CURTAIL_HOST/);
      expect(others).toEqual([]);
      expect(faultsOf({ CURTAIL_HOST: host, CURTAIL_PUBLIC_URL: "https://dr.example.com" })).toEqual([]);
    },
  );

  test.each(["127.0.0.1", "::1", "192.168.1.5", "localhost"])("the host %s needs none", (host) => {
    expect(faultsOf({ CURTAIL_HOST: host })).toEqual([]);
  });

  test.each([
    ["none", 0],
    ["postgresql://curtail@db.internal/curtail", 0],
    ["off", 1],
    ["https://db.internal", 1],
    ["", 1],
  ])("is an address to listen at that is none of PostgreSQL: %j", (url, faults) => {
    expect(faultsOf({ CURTAIL_DATABASE_LISTEN_URL: url })).toHaveLength(faults);
  });

  test("some of the parts need a database that they share with the others", () => {
    expect(faultsOf({ CURTAIL_ROLES: "api" })).toEqual([
      expect.stringMatching(/^DATABASE_URL must be set if CURTAIL_ROLES/),
    ]);
    expect(faultsOf({ CURTAIL_ROLES: "api", DATABASE_URL: "postgresql:///curtail" })).toEqual([]);
    expect(faultsOf({ CURTAIL_ROLES: "worker,vtn,api" })).toEqual([]);
  });
});

describe("the port of health and metrics", () => {
  test("is none of its own unless it is set, and then listens on the host of the rest", () => {
    expect(configOf({})).toMatchObject({ metricsPort: null, metricsHost: "127.0.0.1" });
    expect(configOf({ CURTAIL_METRICS_PORT: "9464" })).toMatchObject({ metricsPort: 9464, metricsHost: "127.0.0.1" });
    const host = { CURTAIL_METRICS_PORT: "0", CURTAIL_METRICS_HOST: "10.0.0.5" };
    expect(configOf(host)).toMatchObject({ metricsPort: 0, metricsHost: "10.0.0.5" });
  });

  test.each([
    ["another listener's", { CURTAIL_METRICS_PORT: "8443" }, "CURTAIL_METRICS_PORT must differ from"],
    ["that of operators", { CURTAIL_METRICS_PORT: "9090", CURTAIL_OPERATOR_PORT: "9090" }, "_METRICS_PORT must differ"],
    ["not set, but its host is", { CURTAIL_METRICS_HOST: "10.0.0.5" }, "CURTAIL_METRICS_PORT must be set"],
  ])("is refused where it is %s", (_what, environment, fault) => {
    expect(faultsOf(environment).join("\n")).toContain(fault);
  });
});

describe("the operators' port", () => {
  const settings = { CURTAIL_HOST: "0.0.0.0", CURTAIL_PUBLIC_URL: "https://dr.example.com" };

  test("is none of its own unless it is set, and then listens on the host of the rest", () => {
    expect(configOf({})).toMatchObject({ operatorPort: null, operatorHost: "127.0.0.1", operatorPublicUrl: null });
    expect(configOf({ ...settings, CURTAIL_OPERATOR_PORT: "9090" })).toMatchObject({
      operatorPort: 9090,
      operatorHost: "0.0.0.0",
    });
  });

  test("may have a host and a public address of its own", () => {
    const own = {
      CURTAIL_OPERATOR_PORT: "0",
      CURTAIL_OPERATOR_HOST: "10.0.0.5",
      CURTAIL_OPERATOR_PUBLIC_URL: "https://ops.example.com/",
    };
    expect(configOf({ ...settings, ...own })).toMatchObject({
      operatorPort: 0,
      operatorHost: "10.0.0.5",
      operatorPublicUrl: "https://ops.example.com",
    });
  });

  test.each([
    ["another listener's", { CURTAIL_OPERATOR_PORT: "8081" }, "CURTAIL_OPERATOR_PORT must differ from"],
    ["no port", { CURTAIL_OPERATOR_PORT: "admin" }, "CURTAIL_OPERATOR_PORT must be a whole number"],
    ["not set, but its host is", { CURTAIL_OPERATOR_HOST: "10.0.0.5" }, "CURTAIL_OPERATOR_PORT must be set"],
    [
      "on any address that nobody named",
      { CURTAIL_OPERATOR_PORT: "9090", CURTAIL_OPERATOR_HOST: "0.0.0.0" },
      "CURTAIL_OPERATOR_PUBLIC_URL must be set",
    ],
  ])("is refused where it is %s", (_what, environment, fault) => {
    expect(faultsOf(environment).join("\n")).toContain(fault);
  });
});
