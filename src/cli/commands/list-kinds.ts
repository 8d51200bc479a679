/** What `teebox list` lists. */
export const listKinds = ['scenarios', 'rules', 'questions', 'obligations'] as const;
