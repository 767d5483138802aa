// `npm run sbom -- FILE`: writes what a release ships as a bill of materials in CycloneDX 1.6 (JSON), from the lockfile.
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Enums, Models, Serialize, Spec } from "@cyclonedx/cyclonedx-library";
import { isOfOthers, nameAt, readLockfile, shippedPaths } from "./shipped-packages.mjs";

/** Name of the file in a release. */
export const SBOM = "sbom.cdx.json";

const ALGORITHMS = { sha512: "SHA-512", sha384: "SHA-384", sha256: "SHA-256", sha1: "SHA-1" };

/** `sha512-…` in base64, as the lockfile has it; the first of several. */
const hashOf = (integrity) => {
  const [, algorithm, base64] = /^(sha\d+)-([^ ]+)/.exec(integrity) ?? [];
  return [ALGORITHMS[algorithm], Buffer.from(base64, "base64").toString("hex")];
};

const licenceOf = (given) => (/[ (]/.test(given) ? new Models.LicenseExpression(given) : new Models.SpdxLicense(given));

const purlOf = (name, version) => `pkg:npm/${name.replace("@", "%40")}@${version}`;

/** The name as the registry has it; of ours, that of the manifest. */
const fullName = (path, { name }) => (isOfOthers(path) ? nameAt(path) : name);

const componentOf = (path, entry) => {
  const name = fullName(path, entry);
  const [group, own] = name.startsWith("@") ? name.split("/") : [undefined, name];
  const purl = purlOf(name, entry.version);
  const component = new Models.Component(Enums.ComponentType.Library, own, {
    group,
    version: entry.version,
    purl,
    bomRef: purl,
    scope: entry.optional === true ? Enums.ComponentScope.Optional : Enums.ComponentScope.Required,
  });
  component.licenses.add(licenceOf(entry.license));
  if (entry.integrity !== undefined) component.hashes.set(...hashOf(entry.integrity));
  return component;
};

/** A package may be installed at several places. */
const componentsOf = (packages, shipped) => {
  const byPurl = new Map();
  for (const path of shipped.keys()) {
    const component = componentOf(path, packages[path]);
    if (!byPurl.has(component.purl)) byPurl.set(component.purl, component);
  }
  return byPurl;
};

/**
 * The bill of materials of a release.
 *
 * @param lock lockfile with the version of the release
 * @returns JSON
 */
export const sbomOf = (lock, now = new Date()) => {
  const { packages } = lock;
  const shipped = shippedPaths(lock);
  const components = componentsOf(packages, shipped);
  const { version, license } = packages["packages/server"];
  const product = new Models.Component(Enums.ComponentType.Application, "curtail", {
    version,
    bomRef: `curtail@${version}`,
    description: "A demand-response dispatch and telemetry service: server, pages, command line and agent.",
  });
  product.licenses.add(licenceOf(license));
  const bom = new Models.Bom({
    version: 1,
    serialNumber: `urn:uuid:${crypto.randomUUID()}`,
    metadata: new Models.Metadata({ component: product, timestamp: now }),
    components: new Models.ComponentRepository(components.values()),
  });
  const at = (path) => components.get(purlOf(fullName(path, packages[path]), packages[path].version));
  for (const [path, needed] of shipped) for (const each of needed) at(path).dependencies.add(at(each).bomRef);
  for (const path of shipped.keys()) if (!isOfOthers(path)) product.dependencies.add(at(path).bomRef);
  const serializer = new Serialize.JsonSerializer(new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6));
  return `${serializer.serialize(bom, { sortLists: true, space: 2 })}\n`;
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [file = SBOM] = process.argv.slice(2);
  writeFileSync(file, sbomOf(readLockfile()));
}
