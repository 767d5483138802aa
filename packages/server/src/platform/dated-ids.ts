/** Something that has a number for ever in earlier versions of the interface, whose ids are numbers. */
export interface Entity {
  /** What it is: `site`. */
  readonly kind: string;
  readonly id: string;
}

export interface NumberedEntity extends Entity {
  readonly number: number;
}

export interface DatedIdStore {
  /** The numbers of all of them; who has none gets the next one, in any process, once and for ever. */
  number(entities: readonly Entity[]): Promise<readonly NumberedEntity[]>;
  /** Those that have a number, by their ids. */
  known(ids: readonly string[]): Promise<readonly NumberedEntity[]>;
  /** Those that have one of these numbers. */
  find(numbers: readonly number[]): Promise<readonly NumberedEntity[]>;
}

/** Numbers from here on are kept for nobody: a stranger's answers would fill the store with them. */
const FIRST_PASSING = 2_000_000_000;

/** A few hundred bytes each, in two maps; beyond this, the memory is emptied. */
const MOST_REMEMBERED = 300_000;

/** Numbers of entities, remembered: they never change. Numbers that nothing has are looked up each time. */
export class DatedIds {
  private readonly byId = new Map<string, NumberedEntity>();
  private readonly byNumber = new Map<number, NumberedEntity>();

  constructor(
    private readonly store: DatedIdStore,
    private readonly most = MOST_REMEMBERED,
  ) {}

  /**
   * The number of each, by id; one statement for all that are new here.
   *
   * @param keeps whether an id is numbered for ever; otherwise its number holds for this answer alone
   */
  async numbersOf(
    entities: readonly Entity[],
    keeps: (id: string) => boolean = () => true,
  ): Promise<ReadonlyMap<string, number>> {
    const found = new Map<string, number>();
    const missing = new Map<string, Entity>();
    let passing = FIRST_PASSING;
    for (const entity of entities) {
      const known = this.byId.get(entity.id);
      if (known !== undefined) found.set(entity.id, known.number);
      else if (keeps(entity.id)) missing.set(entity.id, entity);
      else if (!found.has(entity.id)) found.set(entity.id, passing++);
    }
    if (missing.size > 0)
      for (const { id, number } of this.remembered(await this.store.number([...missing.values()])))
        found.set(id, number);
    return found;
  }

  /** The numbers of those that have one; gives none. */
  async knownNumbersOf(ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const known = ids.flatMap((id) => this.byId.get(id) ?? []);
    const others = ids.filter((id) => !this.byId.has(id));
    if (others.length > 0) known.push(...this.remembered(await this.store.known(others)));
    return new Map(known.map(({ id, number }) => [id, number]));
  }

  /** The objects with these numbers; numbers that nothing has are left out. */
  async entitiesOf(numbers: readonly number[]): Promise<ReadonlyMap<number, Entity>> {
    const found = new Map<number, Entity>();
    const missing = new Set<number>();
    for (const number of numbers) {
      const known = this.byNumber.get(number);
      if (known === undefined) missing.add(number);
      else found.set(number, known);
    }
    if (missing.size > 0)
      for (const entity of this.remembered(await this.store.find([...missing]))) found.set(entity.number, entity);
    return found;
  }

  private remembered(entities: readonly NumberedEntity[]): readonly NumberedEntity[] {
    if (this.byId.size + entities.length > this.most) {
      this.byId.clear();
      this.byNumber.clear();
    }
    for (const entity of entities.slice(0, this.most)) {
      this.byId.set(entity.id, entity);
      this.byNumber.set(entity.number, entity);
    }
    return entities;
  }
}
