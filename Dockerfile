# One image for the web server and the worker; compose.yaml runs both. The base is an exact version;
# to pin its bytes too, put the digest of `docker buildx imagetools inspect` behind it (@sha256:...).
FROM python:3.12.12-slim-trixie

ENV PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    PIP_NO_CACHE_DIR=1 \
    PIP_DISABLE_PIP_VERSION_CHECK=1

WORKDIR /app

# The requirements first, so that a change of the code does not install them again.
COPY requirements.txt constraints.txt ./
RUN pip install --requirement requirements.txt

COPY . .

# The state folder is the only place that the application keeps anything in. Its scratch is where
# large files wait on their way, since /tmp is memory where the root is read-only.
RUN python -m compileall -q . \
    && groupadd --gid 10001 facetwise \
    && useradd --uid 10001 --gid facetwise --create-home --shell /usr/sbin/nologin facetwise \
    && install --directory --owner facetwise --group facetwise --mode 0700 \
        /var/lib/facetwise /var/lib/facetwise/scratch
ENV FACETWISE_STATE=/var/lib/facetwise \
    HOST=0.0.0.0 \
    PORT=8000
USER facetwise
# Static files are part of the image; collecting them needs a key, which is thrown away with the
# folder it is made in.
RUN FACETWISE_STATE=/tmp/build FACETWISE_STATIC=/home/facetwise/static \
    python manage.py collectstatic --no-input --verbosity 0 \
    && rm -r /tmp/build
ENV FACETWISE_STATIC=/home/facetwise/static \
    TMPDIR=/var/lib/facetwise/scratch

VOLUME /var/lib/facetwise
EXPOSE 8000
HEALTHCHECK --interval=15s --timeout=5s --start-period=30s CMD ["python", "script/healthy", "web"]

CMD ["gunicorn", "--config", "config/gunicorn.py", "config.wsgi"]
