/** What is open over the tee sheet. */
export type SheetChoice =
  | { readonly kind: 'book'; readonly teeId: number; readonly players: number }
  | { readonly kind: 'booking'; readonly bookingId: string }
  | { readonly kind: 'tee-time'; readonly teeId: number };
