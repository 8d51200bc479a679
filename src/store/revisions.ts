/** Counts the changes of free slots by course and day. */
export class Revisions {
  readonly #counts = new Map<string, number>();

  of(courses: readonly { readonly id: number }[], day: number): number {
    let sum = 0;
    for (const { id } of courses) sum += this.#counts.get(`${id} ${day}`) ?? 0;
    return sum;
  }

  touch({ courseId, day }: { readonly courseId: number; readonly day: number }): void {
    const key = `${courseId} ${day}`;
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }

  clear(): void {
    this.#counts.clear();
  }
}
