import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

/** PEM. */
export interface SelfSigned {
  readonly key: string;
  readonly cert: string;
}

/** A certificate for a name. Node cannot create any; openssl is on every machine that builds this. */
export const selfSigned = async (name: string): Promise<SelfSigned> => {
  const dir = await mkdtemp(join(tmpdir(), "curtail-tls-"));
  const [key, cert] = [join(dir, "key.pem"), join(dir, "cert.pem")];
  const subject = ["-subj", `/CN=${name}`, "-addext", `subjectAltName=DNS:${name}`];
  const files = ["-keyout", key, "-out", cert];
  const kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  await promisify(execFile)("openssl", ["req", "-x509", "-days", "2", ...kind, ...files, ...subject]);
  const made = { key: await readFile(key, "utf8"), cert: await readFile(cert, "utf8") };
  await rm(dir, { recursive: true });
  return made;
};
