import { mailbox } from "@curtail/testing/mailbox";
import { expect, test } from "vitest";
import { countedTransport, mailTransport } from "../../../src/notification/worker/mail-sender.js";

const sentBy = async (name: string, query = ""): Promise<string> => {
  const inbox = await mailbox();
  const brand = { name, logo: null, accent: null, footer: null, links: [] };
  const transport = mailTransport({ smtpUrl: inbox.url + query, publicUrl: "https://dr.example.com", brand }, 1);
  const mail = {
    id: "m1",
    to: [{ name: "Anna", address: "anna@mills.example" }],
    subject: "S",
    text: "t",
    html: "t",
    language: "en" as const,
  };
  expect(await transport.handOver(mail)).toEqual({ ok: true, rejected: [] });
  transport.close();
  const [{ from, content } = { from: "", content: "" }] = inbox.received;
  return `${from} ${/^From: (.*(?:\r?\n\s.*)*)/m.exec(content)?.[1]}`;
};

test("a mail is from the service by its name, unless the sender has one", async () => {
  expect(await sentBy("Curtail")).toBe("curtail@dr.example.com curtail@dr.example.com");
  expect(await sentBy("Harbor")).toBe("curtail@dr.example.com Harbor <curtail@dr.example.com>");
  expect(await sentBy("Harbor", "?from=a@b.example")).toBe("a@b.example Harbor <a@b.example>");
  expect(await sentBy("Harbor", `?from=${encodeURIComponent("Desk <a@b.example>")}`)).toBe(
    "a@b.example Desk <a@b.example>",
  );
});

test("a name of any letters stays a name", async () => {
  expect(await sentBy('Evil <x@evil.example>, "Q"', "?from=a@b.example")).toBe(
    String.raw`a@b.example "Evil <x@evil.example>, \"Q\"" <a@b.example>`,
  );
  expect(await sentBy("طاقة ⚡", "?from=a@b.example")).toMatch(/^a@b\.example =\?UTF-8\?.*\?= <a@b\.example>$/s);
});

test("emails are counted by what the mail server did", async () => {
  const inbox = await mailbox();
  inbox.refused.add("gone@mills.example");
  const counted: string[] = [];
  const settings = { smtpUrl: inbox.url, publicUrl: "https://dr.example.com", brand: { name: "Curtail" } };
  const transport = countedTransport(mailTransport(settings, 1), (result) => counted.push(result));
  const handOver = (...addresses: readonly string[]) =>
    transport.handOver({
      id: "m1",
      to: addresses.map((address) => ({ name: "Anna", address })),
      subject: "S",
      text: "t",
      html: "t",
      language: "en",
    });
  await handOver("anna@mills.example");
  await handOver("anna@mills.example", "gone@mills.example");
  await handOver("gone@mills.example");
  await inbox.close();
  await handOver("anna@mills.example");
  transport.close();
  expect(counted).toEqual(["success", "refused", "refused", "failure"]);
});
