import {
  createContext,
  type FormEvent,
  type ReactNode,
  useContext,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { faultsIn } from "./fault.js";
import { Fault } from "./state.js";

interface Faults {
  /** Faults by the name of the field. */
  readonly ofFields: ReadonlyMap<string, string>;
  /** Faults of no field. */
  readonly rest: string | null;
}

const none: Faults = { ofFields: new Map(), rest: null };
const FormFaults = createContext<Faults>(none);

/** The service's fault of a field; null if there is none. */
export const useFaultOf = (name: string): string | null => useContext(FormFaults).ofFields.get(name) ?? null;

/** Faults of a form that belong to no field, for above the buttons. */
export const FormFault = () => {
  const { rest } = useContext(FormFaults);
  return rest === null ? null : <Fault error={new Error(rest)} />;
};

/**
 * A form whose faults the service finds. Each is shown at the field named like its member; the first such field gets the
 * focus, and the input is kept. Not Base UI's form: see decision 34.
 */
export const Form = ({
  onSend,
  error = null,
  children,
}: {
  readonly onSend: () => void;
  /** Error of the last attempt to send. */
  readonly error?: Error | null;
  readonly children: ReactNode;
}) => {
  const form = useRef<HTMLFormElement>(null);
  const [faults, setFaults] = useState(none);
  useLayoutEffect(() => setFaults(placed(error, form.current)), [error]);
  useEffect(() => {
    if (faults.ofFields.size > 0)
      form.current?.querySelector<HTMLElement>("[aria-invalid=true]:not(fieldset)")?.focus();
  }, [faults]);
  return (
    <form
      ref={form}
      className="grid gap-3"
      noValidate
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        onSend();
      }}
    >
      <FormFaults value={faults}>{children}</FormFaults>
    </form>
  );
};

const placed = (error: Error | null, form: HTMLFormElement | null): Faults => {
  if (error === null || form === null) return none;
  const names = new Set([...form.elements].map((element) => element.getAttribute("name") ?? ""));
  const ofFields = new Map<string, string>();
  const rest: string[] = [];
  for (const { member, words, alone } of faultsIn(error)) {
    const name = member === null ? undefined : nearest(member).find((each) => names.has(each));
    if (name === undefined) rest.push(alone);
    else ofFields.set(name, [ofFields.get(name), words].filter((each) => each !== undefined).join(" "));
  }
  return { ofFields, rest: rest.length === 0 ? null : rest.join(" ") };
};

/** The member and those that contain it: `holidays[2]`, `holidays`. */
const nearest = (member: string): string[] => {
  const outer = /^(.+)(?:\[\d+\]|\.[^.[]+)$/.exec(member)?.[1];
  return [member, ...(outer === undefined ? [] : nearest(outer))];
};
