// What applies the migrations, made of the sources as they are: the compiler refuses stores that use a new column until
// its type is written.
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const server = new URL("../packages/server/", import.meta.url);
/** As deep as the sources, which find the migrations by their own place. */
const built = new URL("dist/.rows/database/", server);
const FILES = ["migrate", "database"];

export const migrating = async () => {
  const building = await rolldown({
    input: FILES.map((name) => fileURLToPath(new URL(`src/platform/database/${name}.ts`, server))),
    platform: "node",
    // Packages.
    external: /^[^./]/,
  });
  await building.write({ dir: fileURLToPath(built), format: "esm" });
  await building.close();
  const [{ migrate }, { openPool }] = await Promise.all(FILES.map((name) => import(new URL(`${name}.js`, built).href)));
  return { migrate, openPool };
};
