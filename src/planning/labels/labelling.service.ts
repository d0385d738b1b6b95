import { invalid } from '#libs/errors';
import { License } from '#libs/tiers';
import { Injectable } from '@nestjs/common';
import { LabelEventsRepository } from '../label-events/label-events.repository';
import type { Label } from './label.entity';
import { DEFAULT_COLOR, titleProblems } from './label-rules';
import { LabelLinksRepository } from './label-links.repository';
import type { LabelledKind, LabelledRef } from './labelled';
import { LabelsRepository } from './labels.repository';
import { PlaceLocks } from './place-locks.repository';
import type { Place } from './place';
import { withoutRivals } from './scoped-labels';

export interface LabelChange {
  readonly added: readonly Label[];
  readonly removed: readonly Label[];
}

export interface Resolving {
  /** Whether titles that no label has yet become labels of the place: whoever may manage its labels makes them so. */
  readonly create: boolean;
}

/** Puts labels on issues, merge requests and epics, and tells which they have. */
@Injectable()
export class Labelling {
  constructor(
    private readonly labels: LabelsRepository,
    private readonly links: LabelLinksRepository,
    private readonly events: LabelEventsRepository,
    private readonly places: PlaceLocks,
    private readonly license: License,
  ) {}

  /** Call it before all else in a transaction that holds something and then uses labels or milestones of its place. */
  async keepPlace(place: Place): Promise<void> {
    await this.places.keep(place);
  }

  /**
   * The labels of these titles that can be used in the place, in the order of the titles; a project's own before a
   * group's. Titles without a label are left out, or made. Call it in the transaction that uses the labels, which nobody removes until it ends. Throws
   * `validation` for a new title that no label may have.
   */
  async resolve(wanted: Place, names: readonly string[], { create }: Resolving): Promise<Label[]> {
    const titles = [...new Set(names.map((name) => name.trim()).filter((name) => name !== ''))];
    if (titles.length === 0) return [];
    const place = await this.places.keep(wanted);
    const found = await this.labels.holdByTitles(place, titles);
    const missing = titles.filter((title) => !found.some((label) => label.title === title));
    if (missing.length === 0) return inOrderOf(titles, found);
    // Some may have been promoted to a group while they were waited for: a second look finds them there.
    const late = await this.labels.holdByTitles(place, missing);
    const unknown = missing.filter((title) => !late.some((label) => label.title === title));
    const made = create ? await this.make(place, unknown) : [];
    return inOrderOf(titles, [...found, ...late, ...made]);
  }

  /**
   * Makes these labels, and no others, the noteable's; of new ones that exclude one another the last. Call it in the
   * transaction that holds the noteable.
   */
  async set(on: LabelledRef, wanted: readonly Label[], byUserId: number | null): Promise<LabelChange> {
    await this.links.keepLabels(on);
    const before = await this.of(on);
    const labels = this.license.has('scoped_labels') ? withoutRivals(wanted, before) : wanted;
    const gone = before.filter((label) => !labels.some(({ id }) => id === label.id));
    const { added } = await this.add(on, labels, byUserId);
    const { removed } = await this.remove(on, gone, byUserId);
    return { added, removed };
  }

  /** In the transaction that holds the noteable, as `set`. */
  async add(on: LabelledRef, labels: readonly Label[], byUserId: number | null): Promise<LabelChange> {
    if (labels.length === 0) return { added: [], removed: [] };
    const ids = await this.links.add(
      on,
      labels.map(({ id }) => id),
    );
    const added = labels.filter(({ id }) => ids.includes(id));
    await this.events.record(on, 'add', added, byUserId);
    return { added, removed: [] };
  }

  /** In the transaction that holds the noteable, as `set`. */
  async remove(on: LabelledRef, labels: readonly Label[], byUserId: number | null): Promise<LabelChange> {
    if (labels.length === 0) return { added: [], removed: [] };
    const ids = await this.links.remove(
      on,
      labels.map(({ id }) => id),
    );
    const removed = labels.filter(({ id }) => ids.includes(id));
    await this.events.record(on, 'remove', removed, byUserId);
    return { added: [], removed };
  }

  /** For a page of records, in one query: sorted by title; what has no labels is left out. */
  ofMany(kind: LabelledKind, ids: readonly number[]): Promise<ReadonlyMap<number, Label[]>> {
    return this.links.ofMany(kind, ids);
  }

  async of({ kind, id }: LabelledRef): Promise<readonly Label[]> {
    return (await this.links.ofMany(kind, [id])).get(id) ?? [];
  }

  private async make(place: Place, titles: readonly string[]): Promise<Label[]> {
    const made: Label[] = [];
    // In one order, so that two who make the same labels do not wait for each other.
    for (const title of [...titles].sort()) {
      const problems = titleProblems(title);
      if (problems.length > 0) throw invalid({ title: problems });
      const label =
        (await this.labels.insert(place, { title, color: DEFAULT_COLOR, description: null })) ??
        // Somebody else has made it meanwhile.
        (await this.labels.holdByTitles(place, [title]))[0];
      if (label) made.push(label);
    }
    return made;
  }
}

function inOrderOf(titles: readonly string[], labels: readonly Label[]): Label[] {
  const byTitle = new Map(labels.map((label) => [label.title, label]));
  return titles.flatMap((title) => byTitle.get(title) ?? []);
}
