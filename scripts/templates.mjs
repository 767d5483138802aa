// What `npm run new` writes, before the formatter orders imports and breaks lines.

const pascal = (name) => name.replaceAll(/(?:^|-)(.)/g, (_, letter) => letter.toUpperCase());
const camel = (name) => name.replaceAll(/-(.)/g, (_, letter) => letter.toUpperCase());
const spaced = (name) => name.replaceAll("-", " ");

export const domainSource = (name) => `import type { Period } from "../../platform/period.js";

/** TODO: say what it is. */
export interface ${pascal(name)} extends Period {
  readonly id: string;
}

/** TODO: say which rule this is. */
export const is${pascal(name)}Over = ({ end }: ${pascal(name)}, now: Date): boolean => end !== null && end <= now;
`;

export const domainTest = (name) => `import { expect, test } from "vitest";
import { is${pascal(name)}Over } from "../../../src/${name}/domain/${name}.js";

const START = new Date("2026-07-01T12:00:00Z");
const END = new Date("2026-07-01T14:00:00Z");
const justBefore = new Date(END.getTime() - 1);

test("${spaced(name)} is over at its end, and never without one", () => {
  const ${camel(name)} = { id: "one", start: START, end: END };
  expect(is${pascal(name)}Over(${camel(name)}, END)).toBe(true);
  expect(is${pascal(name)}Over(${camel(name)}, justBefore)).toBe(false);
  expect(is${pascal(name)}Over({ ...${camel(name)}, end: null }, END)).toBe(false);
});
`;

export const operationSource = (module, name) => {
  const access = module === "access" ? "." : "../../access/operations";
  const account = module === "access" ? "../domain/account.js" : "../../access/domain/account.js";
  return `import type { Account } from "${account}";
import type { AccountStore } from "${access}/access-stores.js";
import type { Ports } from "../../platform/ports.js";
import { notFound, type Result } from "../../platform/refusal.js";

/** The stores that it uses, with no more than it needs of each. */
export interface ${pascal(name)}Stores {
  readonly accounts: Pick<AccountStore, "lock">;
}

/** TODO: say what it does, and what it refuses. */
export const ${camel(name)} = ({ transact }: Ports<${pascal(name)}Stores>, accountId: string) =>
  transact(async (stores): Promise<Result<Account>> => {
    const account = await stores.accounts.lock(accountId);
    if (account === null) return notFound("account");
    return account;
  });
`;
};

export const operationTest = (module, name) => `import { expect, test } from "vitest";
import { ${camel(name)}, type ${pascal(name)}Stores } from "../../../src/${module}/operations/${name}.js";
import type { Ports } from "../../../src/platform/ports.js";
import { notFound } from "../../../src/platform/refusal.js";
import { fakeClock } from "../../support/fake-clock.js";

const portsOver = (stores: ${pascal(name)}Stores): Ports<${pascal(name)}Stores> => ({
  stores,
  transact: (work) => work(stores),
  clock: fakeClock(),
  newId: (prefix) => \`\${prefix}_1\`,
});

test("an account that does not exist is refused", async () => {
  const ports = portsOver({ accounts: { lock: async () => null } });
  expect(await ${camel(name)}(ports, "acc_1")).toEqual(notFound("account"));
});
`;

export const channelSource = (name) => `import type { Channel } from "../channel.js";

/** TODO: say what it posts, and to what. */
export const ${name}: Channel = {
  requestOf: ({ title, lines, link, linkName }, { address }) => ({
    url: address,
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ title, lines, link, linkName }),
  }),
};
`;

export const channelTest = (name) => `import { expect, test } from "vitest";
import { ${name} } from "../../../src/notification/channels/${name}/${name}.js";

test("a ${name} is told what a notice says", () => {
  const said = { title: "Curtail: reduce 50 kW", lines: ["Mill: 50 kW"], link: null, linkName: "" };
  const { url, body } = ${name}.requestOf(said, { address: "https://${name}.example/1", form: null });
  expect(url).toBe("https://${name}.example/1");
  expect(JSON.parse(body)).toEqual(said);
});
`;

/** Its words in the list of the contract. */
export const channelWords = (name) => `  ${name}: {
    title: "${pascal(name)}",
    due: "to be sent",
    reach: { by: "${name}", notified: "by ${name}", how: "of which a ${name} took a message", example: 0 },
    preview: "${pascal(name)}",
    isHeld: true,
    address: {
      noun: "${name}",
      label: "Address",
      example: "https://${name}.example/1",
      hint: "TODO: say where a person finds it, and who may see it.",
    },
  },
`;

export const channelTexts = (name) => `  ${name}: {
    title: say("${pascal(name)}", {}, "channel"),
    by: (n) => say("{n} by ${name}", { n: count(n) }),
    reached: (values) =>
      say(
        "{who} notified by ${name}{change, plural, =0 {} other { of change #}}{isLast, select, yes {, the last at {time}} other {}}.",
        values,
      ),
    add: say("Add ${name}"),
    empty: say("Each dispatch and its changes can also be announced by ${name}."),
    label: say("Address of the ${name}"),
    hint: say("TODO: say where a person finds it, and who may see it."),
  },
`;

export const migrationSource = () => `-- breaks: no
-- TODO: say what this adds and why. If processes of the previous version would fail on it, the first line is
-- \`-- breaks: yes, because …\`.
`;
