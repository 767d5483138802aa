import { type ComponentProps, type ReactNode, useId } from "react";
import { useFaultOf } from "./form.js";

const box =
  "w-full min-h-9 rounded-lg bg-surface px-3 py-1.5 text-ink ring-1 ring-inset ring-line-strong placeholder:text-muted disabled:opacity-60 aria-invalid:ring-bad";

interface Labelled {
  readonly label: string;
  readonly hint?: ReactNode;
  /** What is wrong with the value and what to do. */
  readonly fault?: string | null;
}

/** A label, control, hint and fault, linked for screen readers. */
const Labelled = ({
  label,
  hint,
  fault: known = null,
  name = "",
  control,
}: Labelled & {
  /** Member of the request body; the service's fault of it is shown here. */
  readonly name?: string | undefined;
  readonly control: (tied: { id: string; "aria-describedby": string; "aria-invalid": boolean }) => ReactNode;
}) => {
  const id = useId();
  const found = useFaultOf(name);
  const fault = known ?? found;
  return (
    <div className="grid gap-1">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      {control({ id, "aria-describedby": `${id}-hint`, "aria-invalid": fault !== null })}
      <div id={`${id}-hint`} className={`text-sm empty:hidden ${fault === null ? "text-muted" : "text-bad"}`}>
        {fault ?? hint}
      </div>
    </div>
  );
};

export const Field = ({ label, hint, fault, ...rest }: Labelled & ComponentProps<"input">) => (
  <Labelled
    {...{ label, hint, name: rest.name, ...(fault === undefined ? {} : { fault }) }}
    control={(tied) => <input {...rest} {...tied} className={box} />}
  />
);

export const TextArea = ({ label, hint, fault, ...rest }: Labelled & ComponentProps<"textarea">) => (
  <Labelled
    {...{ label, hint, name: rest.name, ...(fault === undefined ? {} : { fault }) }}
    control={(tied) => <textarea {...rest} {...tied} className={`${box} font-mono text-sm`} />}
  />
);

export interface Choice {
  readonly value: string;
  readonly label: string;
  /** Of the label, if it is not that of the page. */
  readonly lang?: string;
}

/** The browser's own select, which works best on phones. */
export const Select = ({
  label,
  hint,
  fault,
  choices,
  ...rest
}: Labelled & ComponentProps<"select"> & { readonly choices: readonly Choice[] }) => (
  <Labelled
    {...{ label, hint, name: rest.name, ...(fault === undefined ? {} : { fault }) }}
    control={(tied) => (
      <select {...rest} {...tied} className={box}>
        {choices.map(({ value, label: name, lang }) => (
          <option key={value} value={value} lang={lang}>
            {name}
          </option>
        ))}
      </select>
    )}
  />
);

export const Checkbox = ({ label, ...rest }: { readonly label: ReactNode } & ComponentProps<"input">) => (
  <label className="flex min-h-9 items-center gap-2">
    <input {...rest} type="checkbox" className="size-4 accent-accent" />
    <span>{label}</span>
  </label>
);

/** Several checkboxes that are sent as one member. */
export const Choices = ({
  label,
  name,
  children,
}: {
  readonly label: string;
  readonly name: string;
  readonly children: ReactNode;
}) => {
  const id = useId();
  const fault = useFaultOf(name);
  return (
    <fieldset name={name} aria-describedby={`${id}-fault`} aria-invalid={fault !== null}>
      <legend className="text-sm font-medium">{label}</legend>
      {children}
      <div id={`${id}-fault`} className="text-sm text-bad">
        {fault}
      </div>
    </fieldset>
  );
};
