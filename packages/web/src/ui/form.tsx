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
  /** By the name of the field. */
  readonly ofFields: ReadonlyMap<string, string>;
  /** What belongs to no field. */
  readonly rest: string | null;
}

const none: Faults = { ofFields: new Map(), rest: null };
const FormFaults = createContext<Faults>(none);

/** What the service found wrong with a field; null for nothing. */
export const useFaultOf = (name: string): string | null => useContext(FormFaults).ofFields.get(name) ?? null;

/** What was wrong with a form, and with none of its fields; stands above the button. */
export const FormFault = () => {
  const { rest } = useContext(FormFaults);
  return rest === null ? null : <Fault error={new Error(rest)} />;
};

/**
 * Fields below each other; Enter sends. What the answer found wrong stands at the field with the name of the member,
 * which gets the focus; what was typed is kept.
 */
export const Form = ({
  onSend,
  error = null,
  children,
}: {
  readonly onSend: () => void;
  /** Of the last try to send. */
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

/** The member, and those that it is part of: `holidays[2]`, `holidays`. */
const nearest = (member: string): string[] => {
  const outer = /^(.+)(?:\[\d+\]|\.[^.[]+)$/.exec(member)?.[1];
  return [member, ...(outer === undefined ? [] : nearest(outer))];
};
