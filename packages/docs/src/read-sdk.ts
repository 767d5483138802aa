import { basename, join } from "node:path";
import {
  Application,
  Converter,
  type DeclarationReflection,
  Logger,
  LogLevel,
  ReflectionKind,
  ReflectionType,
  type SignatureReflection,
  type TypeScript as ts,
} from "typedoc";
import {
  declarationText,
  kindOf,
  memberSignature,
  memberType,
  parameterName,
  parametersOf,
} from "./declaration-text.js";
import { hiddenTypes } from "./hidden-types.js";
import { sdkComment } from "./sdk-comment.js";
import type { SdkComment, SdkExport, SdkMember, SdkModel } from "./sdk-model.js";

/** The entries of the libraries, by what they are imported from. Their declarations, as the compiler wrote them. */
const entries = {
  "@curtail/client": "packages/client/dist/index.d.ts",
  "@curtail/client/node": "packages/client/dist/node.d.ts",
  "@curtail/spool": "packages/spool/dist/index.d.ts",
} as const;

/** Reads what the libraries export, and what their comments say, with TypeDoc. */
export const readSdk = async (root: string): Promise<SdkModel> => {
  const app = await newApplication(root);
  const logger = new Faults();
  app.logger = logger;
  const declarations = new Map<number, ts.Declaration>();
  app.converter.on(Converter.EVENT_CREATE_DECLARATION, (context, reflection: DeclarationReflection) => {
    const declaration = context.getSymbolFromReflection(reflection)?.declarations?.[0];
    if (declaration !== undefined) declarations.set(reflection.id, declaration);
  });
  const project = await app.convert();
  if (project === undefined) throw new Error(`the libraries cannot be read: ${logger.faults.join("; ")}`);
  app.validate(project);
  const modules = Object.keys(entries);
  const found = (project.children ?? []).flatMap(({ children = [] }, index) =>
    children.map((reflection) => ({ module: modules[index] ?? "", reflection, ...declared(declarations, reflection) })),
  );
  const names = new Set(found.map(({ reflection }) => reflection.name));
  return {
    exports: found.map((each) => exportOf(each, declarations)),
    faults: [...logger.faults, ...found.flatMap(({ declaration }) => hiddenTypes(declaration, names))],
  };
};

/** Keeps what TypeDoc warns of. */
class Faults extends Logger {
  readonly faults: string[] = [];

  override log(message: string, level: LogLevel): void {
    if (level >= LogLevel.Warn) this.faults.push(message);
  }
}

const newApplication = (root: string): Promise<Application> =>
  Application.bootstrap({
    entryPoints: Object.values(entries).map((file) => join(root, file)),
    tsconfig: join(root, "packages/docs/sdk.tsconfig.json"),
    name: "Libraries",
    readme: "none",
    sort: ["source-order"],
    disableGit: true,
    disableSources: true,
    // The compiler checked them when it wrote the declarations.
    skipErrorChecking: true,
    excludeInternal: true,
    packagesRequiringDocumentation: ["@curtail/client", "@curtail/spool"],
    requiredToBeDocumented: [
      "Class",
      "Function",
      "Interface",
      "TypeAlias",
      "Variable",
      "Property",
      "Method",
      "Accessor",
    ],
    // Types that are not exported: TypeDoc misses those of declarations, hiddenTypes finds them.
    validation: { notExported: false, invalidLink: true, notDocumented: true },
  });

type Declarations = ReadonlyMap<number, ts.Declaration>;

const declared = (
  declarations: Declarations,
  { id, name }: DeclarationReflection,
): { readonly declaration: ts.Declaration } => {
  const declaration = declarations.get(id);
  if (declaration === undefined) throw new Error(`${name} has no declaration`);
  return { declaration };
};

interface Found {
  readonly module: string;
  readonly reflection: DeclarationReflection;
  readonly declaration: ts.Declaration;
}

const exportOf = ({ module, reflection, declaration }: Found, declarations: Declarations): SdkExport => ({
  module,
  file: basename(declaration.getSourceFile().fileName, ".d.ts"),
  name: reflection.name,
  kind: kindOf(declaration),
  declaration: declarationText(declaration),
  comment: commentOf(reflection, declaration),
  members: membersOf(reflection, declarations),
});

const membersOf = ({ children = [] }: DeclarationReflection, declarations: Declarations): readonly SdkMember[] =>
  children
    .filter(({ kind, inheritedFrom }) => kind !== ReflectionKind.Constructor && inheritedFrom === undefined)
    .map((member) => {
      const { declaration } = declared(declarations, member);
      return {
        name: member.name,
        type: memberType(declaration),
        signature: memberSignature(declaration),
        isOptional: member.flags.isOptional,
        comment: commentOf(member, declaration),
      };
    });

/** Functions have their comments at their signature, accessors at what reads them. */
const commentOf = (reflection: DeclarationReflection, declaration: ts.Declaration): SdkComment => {
  const signature = signatureOf(reflection);
  const comment = reflection.comment ?? signature?.comment ?? reflection.getSignature?.comment;
  const names = parametersOf(declaration).map(parameterName);
  const parameters = (signature?.parameters ?? []).map(({ name, comment: own }, index) => ({
    name: names[index] ?? name,
    comment: own,
  }));
  return sdkComment(comment, parameters);
};

/** Also of a constant whose type is that of a function. */
const signatureOf = ({ signatures, type }: DeclarationReflection): SignatureReflection | undefined =>
  (signatures ?? (type instanceof ReflectionType ? type.declaration.signatures : undefined))?.[0];
