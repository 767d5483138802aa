import { bad, type Check, good, reasonOf, warning } from "@curtail/cli";
import { mailTransport } from "../../../notification/worker/mail-sender.js";
import { OWN_NAME } from "../../../platform/brand.js";
import { isLoopback } from "../../../platform/runtime/setting-types.js";

/** What a mail server did when it was greeted. */
export interface SeenMailServer {
  /** `mail.example.com:587`. */
  readonly server: string;
  readonly isLocal: boolean;
  /** Why it did not take us; null: it did. */
  readonly fault: string | null;
  readonly isEncrypted: boolean;
  readonly signsIn: boolean;
}

export const mailCheck = ({ server, isLocal, fault, isEncrypted, signsIn }: SeenMailServer): Check => {
  if (fault !== null)
    return bad("mail", `${server}: ${fault}`, "correct CURTAIL_SMTP_URL, or ask the operator of the mail server");
  const taken = `${server} takes us${signsIn ? ", with our user" : ""}`;
  if (isEncrypted) return good("mail", `${taken}, encrypted`);
  const detail = `${taken}, in clear`;
  return isLocal
    ? good("mail", `${detail}, on this machine`)
    : warning("mail", detail, "use a mail server with STARTTLS, or smtps://: anybody on the way can read emails");
};

/** @param publicUrl names this machine where the setting does not */
export const lookAtMail = async (smtpUrl: string | null, publicUrl: string): Promise<readonly Check[]> => {
  if (smtpUrl === null)
    return [warning("mail", "no mail server is set: emails are kept, not sent", "set CURTAIL_SMTP_URL")];
  const url = new URL(smtpUrl);
  const seen = { server: url.host, isLocal: isLoopback(url.hostname), signsIn: url.username !== "" };
  const fault = await faultOf(smtpUrl, publicUrl);
  const isEncrypted = fault === null && (url.protocol === "smtps:" || (await offersTls(url, publicUrl)));
  return [mailCheck({ ...seen, fault, isEncrypted })];
};

const offersTls = async (url: URL, publicUrl: string): Promise<boolean> => {
  const strict = new URL(url);
  strict.searchParams.set("requireTLS", "true");
  return (await faultOf(strict.href, publicUrl)) === null;
};

/** Why it does not take us; null: it does. */
const faultOf = async (smtpUrl: string, publicUrl: string): Promise<string | null> => {
  const transport = mailTransport({ smtpUrl, publicUrl, brand: { name: OWN_NAME } }, 1);
  try {
    await transport.verify();
    return null;
  } catch (error) {
    return error instanceof Error && error.message !== "" ? error.message : reasonOf(error);
  } finally {
    transport.close();
  }
};
