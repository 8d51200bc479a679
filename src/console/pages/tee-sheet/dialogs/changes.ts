import { call } from '../../../data/api.js';
import type { CourseDay, SheetDay } from '../cells.js';

type SheetPlace = Pick<SheetDay, 'facilityId'>;

const pathOf = ({ facilityId }: SheetPlace) => ({ facilityId: String(facilityId) });

export function withdrawCommand(place: SheetPlace, teeId: number) {
  const body = { change: 'tee-time-withdrawn', teeId } as const;
  return call('POST', 'tee-sheets/{facilityId}/changes', { path: pathOf(place), body });
}

export function restoreCommand(place: SheetPlace, teeId: number) {
  return call('DELETE', 'tee-sheets/{facilityId}/changes', { path: pathOf(place), query: { teeId } });
}

export function rivalCommand(place: SheetPlace, teeId: number, players: number) {
  const body = { change: 'rival', teeId, players } as const;
  return call('POST', 'tee-sheets/{facilityId}/changes', { path: pathOf(place), body });
}

/** Raises the prices of the day, or sells it out. */
export function dayCommand(place: SheetDay, { courseId }: CourseDay, change: 'price-changed' | 'sold-out') {
  const body = { change, courseId, date: place.date };
  return call('POST', 'tee-sheets/{facilityId}/changes', { path: pathOf(place), body });
}

/** Undoes what was changed of one day of a course. */
export function undoDayCommand(place: SheetDay, { courseId }: CourseDay) {
  const query = { courseId, date: place.date };
  return call('DELETE', 'tee-sheets/{facilityId}/changes', { path: pathOf(place), query });
}

/** How many changes of the day are in force. */
export function changesOfDay({ soldOut, raised, withdrawn }: CourseDay): number {
  return Number(soldOut) + raised + withdrawn.length;
}

export function disconnectCommand(place: SheetPlace, channel: string) {
  const body = { change: 'facility-disconnected', channel } as const;
  return call('POST', 'tee-sheets/{facilityId}/changes', { path: pathOf(place), body });
}

export function connectCommand(place: SheetPlace, channel: string) {
  const query = { change: 'facility-disconnected', channel } as const;
  return call('DELETE', 'tee-sheets/{facilityId}/changes', { path: pathOf(place), query });
}

export function undoAllCommand(place: SheetPlace) {
  return call('DELETE', 'tee-sheets/{facilityId}/changes', { path: pathOf(place) });
}
