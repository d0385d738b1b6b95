/** How the older rows name a label; the parameters have exactly one of the two. */
interface Named {
  readonly label_id?: number | undefined;
  readonly name?: string | undefined;
}

/** The id or the title of the label. */
export const nameOf = ({ label_id: id, name }: Named): string =>
  id === undefined ? (name ?? '') : String(id);
