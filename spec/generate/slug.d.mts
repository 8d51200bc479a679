export const slugOf: (title: string) => string;
