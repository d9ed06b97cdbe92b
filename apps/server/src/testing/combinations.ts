/** Each object with one of the values of each field, where undefined leaves the field out. */
export function combinationsOf(
  choices: Readonly<Record<string, readonly unknown[]>>,
): Record<string, unknown>[] {
  let all: Record<string, unknown>[] = [{}]
  for (const [field, values] of Object.entries(choices)) {
    all = all.flatMap((each) =>
      values.map((value) => (value === undefined ? each : { ...each, [field]: value })),
    )
  }
  return all
}
