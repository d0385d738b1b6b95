import type { Sha } from '../git';
import { newObject, type NewObject, type ObjectType } from './object-format';
import type { TimeSlices } from './time-slices';

/** The objects of one commit in the making: named at once, written together at the end. */
export class ObjectBatch {
  readonly #objects = new Map<Sha, NewObject>();

  constructor(private readonly slices: TimeSlices) {}

  async add(type: ObjectType, body: Buffer): Promise<Sha> {
    const object = await newObject(type, body, this.slices);
    this.#objects.set(object.sha, object);
    return object.sha;
  }

  /** Each object once, in the order they came. */
  get objects(): NewObject[] {
    return [...this.#objects.values()];
  }
}
