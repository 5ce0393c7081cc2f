import type { Rejection } from '../../../model/rejections.ts';
import { errorBody, rejectionStatus, type ErrorStatus } from '../../../wire/swaps/errors.ts';
import { SwapFailure } from '../surface.ts';

export const failure = (status: ErrorStatus, message: string): SwapFailure =>
  new SwapFailure(status, errorBody(status, message));

export const rejected = (rejection: Rejection): SwapFailure =>
  failure(rejectionStatus(rejection), rejection.message);
