# One image for the web server and the worker; compose.yaml runs both.
FROM python:3.12-slim

ENV PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    PIP_NO_CACHE_DIR=1 \
    PIP_DISABLE_PIP_VERSION_CHECK=1

WORKDIR /app

# The requirements first, so that a change of the code does not install them again.
COPY requirements.txt constraints.txt ./
RUN pip install --requirement requirements.txt

COPY . .

# The state folder is the only place that the application writes to.
RUN useradd --system --uid 10001 --create-home facetwise \
    && install --directory --owner facetwise --group facetwise --mode 0700 /var/lib/facetwise
ENV FACETWISE_STATE=/var/lib/facetwise \
    HOST=0.0.0.0 \
    PORT=8000
USER facetwise
# Static files are part of the image; collecting them needs a key, which is thrown away with the
# folder it is made in.
RUN FACETWISE_STATE=/tmp/build FACETWISE_STATIC=/home/facetwise/static \
    python manage.py collectstatic --no-input --verbosity 0 \
    && rm -r /tmp/build
ENV FACETWISE_STATIC=/home/facetwise/static

VOLUME /var/lib/facetwise
EXPOSE 8000
HEALTHCHECK --interval=15s --timeout=5s --start-period=30s CMD ["python", "script/healthy", "web"]

CMD ["gunicorn", "--config", "config/gunicorn.py", "config.wsgi"]
